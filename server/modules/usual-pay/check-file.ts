import { sql } from 'kysely';
import type { UsualPayFileField, UsualPayFileProblem } from '#contract/usual-pay-file.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { ChangedLine } from './change.ts';
import type { FileRow, ReadFile } from './read-file.ts';
import { changedLines, dayProblems, refusalOfLine, refusalOfPerson } from './rules.ts';
import { readPeople } from './usual-pay.ts';

/** A change that a row of the file makes. */
export interface FileChange {
  row: number;
  userId: string;
  validFrom: string;
  lines: ChangedLine[];
}

interface Checking {
  settings: CompanySettings;
  now: Date;
  /** Administrator who uploads the file, and is not changed by it. */
  actorId: string;
}

/** A file whose people were looked up: changes if there are no problems, in the order of its rows. */
export interface CheckedFile {
  changes: FileChange[];
  /** People whose row changes nothing. */
  sameCount: number;
  problems: UsualPayFileProblem[];
}

/** Looks up the people of a file, and says of each row what it changes or what is wrong with it. */
export async function checkFile(
  reader: Reader,
  { rows, problems: unread, problemOf }: ReadFile,
  checking: Checking,
): Promise<CheckedFile> {
  const problems = [...unread];
  const note = (row: FileRow, field: UsualPayFileField, message: string) => {
    problems.push(problemOf(row.row, field, message));
  };
  const found = await findPeople(reader, rows);
  const firstRows = new Map<string, number>();
  const known = rows.flatMap((row) => {
    const { field, userId, message } = whoIs(row, found.get(row.row));
    if (userId === null) {
      note(row, field, message);
      return [];
    }
    const first = firstRows.get(userId);
    if (first !== undefined) note(row, field, `Same person as row ${first}`);
    firstRows.set(userId, first ?? row.row);
    return row.validFrom === null || first !== undefined
      ? []
      : [{ row, field, userId, validFrom: row.validFrom }];
  });
  const people = await readPeople(reader, known, checking.now);
  const problemOfDay = dayProblems(checking.settings, checking.now);
  const changes: FileChange[] = [];
  let sameCount = 0;
  for (const { row, field, userId, validFrom } of known) {
    const person = people.get(userId);
    const day = problemOfDay(validFrom);
    if (day !== undefined) note(row, 'validFrom', day);
    if (person === undefined) continue;
    const refusal = refusalOfPerson(person, checking.actorId);
    if (refusal !== null) {
      note(row, field, userId === checking.actorId ? IS_ACTOR : refusal.message);
      continue;
    }
    const lines = changedLines(row.amounts, person);
    for (const line of lines) {
      const wrong = refusalOfLine(line, person, checking.settings);
      if (wrong !== null) note(row, line.walletType, wrong.message);
    }
    if (lines.length === 0) sameCount += 1;
    else changes.push({ row: row.row, userId, validFrom, lines });
  }
  return { changes, sameCount, problems: problems.toSorted((one, other) => one.row - other.row) };
}

const IS_ACTOR = 'This is you. Another administrator has to change it.';

interface Found {
  row: number;
  byId: string | null;
  byEmail: string | null;
}

/** People by employee ID and by address. */
async function findPeople(
  reader: Reader,
  rows: readonly FileRow[],
): Promise<ReadonlyMap<number, Found>> {
  const asked = rows.map(({ row, employeeId, email }) => ({ row, id: employeeId, email }));
  const { rows: found } = await sql<Found>`
    SELECT one.row, by_id.id AS by_id, by_email.id AS by_email
      FROM json_to_recordset(${JSON.stringify(asked)}::json) AS one ("row" integer, id text, email text)
      LEFT JOIN app_user AS by_id ON by_id.employee_number = one.id AND one.id <> ''
      LEFT JOIN app_user AS by_email ON by_email.email = one.email AND one.email <> ''`.execute(
    reader,
  );
  return new Map(found.map((one) => [one.row, one]));
}

type Who =
  | { field: UsualPayFileField; userId: string; message?: undefined }
  | { field: UsualPayFileField; userId: null; message: string };

/** The person of a row: by employee ID, then by address. Two that disagree are an error. */
function whoIs({ employeeId, email }: FileRow, found: Found | undefined): Who {
  const byId = found?.byId ?? null;
  const byEmail = found?.byEmail ?? null;
  if (employeeId !== '') {
    if (byId === null) {
      return { field: 'employeeId', userId: null, message: 'Nobody has this employee ID' };
    }
    if (email !== '' && byEmail !== byId) {
      return { field: 'email', userId: null, message: 'Not the address of this employee ID' };
    }
    return { field: 'employeeId', userId: byId };
  }
  if (email === '') return { field: 'employeeId', userId: null, message: 'Names nobody' };
  return byEmail === null
    ? { field: 'email', userId: null, message: 'Nobody has this address' }
    : { field: 'email', userId: byEmail };
}
