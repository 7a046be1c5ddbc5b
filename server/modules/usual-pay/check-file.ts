import type { FileProblem } from '#contract/file-columns.ts';
import type { UsualPayFileField } from '#contract/usual-pay-file.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { matchPeople } from '#server/modules/imports/index.ts';
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
  problems: FileProblem[];
}

/** Looks up the people of a file, and says of each row what it changes or what is wrong with it. */
export async function checkFile(
  reader: Reader,
  { rows, problems: unread }: ReadFile,
  checking: Checking,
): Promise<CheckedFile> {
  const problems = [...unread];
  const note = (row: FileRow, field: UsualPayFileField, message: string) => {
    problems.push(row.problemOf(field, message));
  };
  const matches = await matchPeople(reader, rows);
  const known = rows.flatMap((row) => {
    const match = invariant(matches.get(row.row), 'each row has a match');
    if (match.userId === null) note(row, match.field, match.message);
    return match.userId === null || row.validFrom === null
      ? []
      : [{ row, field: match.field, userId: match.userId, validFrom: row.validFrom }];
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
