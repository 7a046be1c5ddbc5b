import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { usualPayDifference } from '#contract/usual-pay.ts';
import type { UsualPayFileField, UsualPayFileProblem } from '#contract/usual-pay-file.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { ChangedLine } from './change.ts';
import { isPaidSql } from './paid.ts';
import type { FileRow, ReadFile } from './read-file.ts';
import { aloneSince, dayProblems } from './rules.ts';

/** A change that a row of the file makes. */
export interface FileChange {
  row: number;
  userId: string;
  validFrom: string;
  lines: ChangedLine[];
}

/** A person as the check of a file needs them, on the day from which they are changed. */
export interface CheckedPerson {
  id: string;
  isPaid: boolean;
  /** Types of their open accounts. */
  open: WalletType[];
  /** True if a change of theirs waits. */
  waits: boolean;
  /** Sum of what one person alone changed for them in the last 30 days. */
  aloneMinor: bigint;
  /** Amounts of that day, in minor units. */
  valid: Partial<Record<WalletType, string>>;
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
    const problem = problemOfPerson(person, userId === checking.actorId);
    if (problem !== undefined || person === undefined) {
      note(row, field, problem ?? 'Not found');
      continue;
    }
    for (const [type, message] of problemsOfAmounts(row, person, checking.settings)) {
      note(row, type, message);
    }
    const lines = changedLines(row.amounts, person);
    if (lines.length === 0) sameCount += 1;
    else changes.push({ row: row.row, userId, validFrom, lines });
  }
  return { changes, sameCount, problems: problems.toSorted((one, other) => one.row - other.row) };
}

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

/** Reads people on the days from which they are changed. */
export async function readPeople(
  reader: Reader,
  asked: readonly { userId: string; validFrom: string }[],
  now: Date,
): Promise<ReadonlyMap<string, CheckedPerson>> {
  const ids = asked.map(({ userId, validFrom }) => ({ id: userId, day: validFrom }));
  const { rows } = await sql<CheckedPerson>`
    SELECT person.id, ${isPaidSql('person')} AS is_paid,
           ARRAY(SELECT type FROM wallet
                  WHERE wallet.user_id = person.id AND closed_at IS NULL) AS open,
           EXISTS (SELECT FROM usual_pay_change AS change
                    WHERE change.user_id = person.id AND change.status = 'waiting') AS waits,
           (SELECT coalesce(sum(abs(line.amount_minor - line.before_minor)), 0)::bigint
              FROM usual_pay_change AS change JOIN usual_pay_line AS line ON line.change_id = change.id
             WHERE change.user_id = person.id AND change.status = 'confirmed'
               AND NOT change.needs_second AND change.created_at > ${aloneSince(now)}) AS alone_minor,
           (SELECT coalesce(json_object_agg(wallet_type, amount_minor::text), '{}')
              FROM (SELECT DISTINCT ON (line.wallet_type) line.wallet_type, line.amount_minor
                      FROM usual_pay_change AS change
                      JOIN usual_pay_line AS line ON line.change_id = change.id
                     WHERE change.user_id = person.id AND line.counts AND line.valid_from <= one.day
                     ORDER BY line.wallet_type, line.valid_from DESC, line.change_id DESC) AS valid) AS valid
      FROM json_to_recordset(${JSON.stringify(ids)}::json) AS one (id uuid, day date)
      JOIN app_user AS person ON person.id = one.id`.execute(reader);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Reason why nothing can be changed for a person; undefined if it can. */
export function problemOfPerson(
  person: CheckedPerson | undefined,
  isOwn: boolean,
): string | undefined {
  if (isOwn) return 'This is you. Another administrator has to change it';
  if (person?.isPaid !== true) return 'Not paid by payroll now';
  return person.waits ? 'A change of this person waits for another administrator' : undefined;
}

function problemsOfAmounts(
  { amounts }: FileRow,
  { open }: CheckedPerson,
  { payrollLineLimitMinor, currency }: CompanySettings,
): [WalletType, string][] {
  return amounts.flatMap(({ walletType, amountMinor }): [WalletType, string][] => {
    if (!open.includes(walletType))
      return [[walletType, `Has no open ${WALLET_LABELS[walletType]}`]];
    if (amountMinor <= payrollLineLimitMinor) return [];
    const limit = formatMoney(money(payrollLineLimitMinor, currency));
    return [[walletType, `Above ${limit}, the most for one person`]];
  });
}

/** The lines that change an amount of that day. */
function changedLines(amounts: FileRow['amounts'], { valid }: CheckedPerson): ChangedLine[] {
  return amounts
    .map(({ walletType, amountMinor }) => ({
      ...{ walletType, amountMinor },
      beforeMinor: BigInt(valid[walletType] ?? 0),
    }))
    .filter(({ beforeMinor, amountMinor }) => beforeMinor !== amountMinor);
}

/** Difference that the company's setting is compared with: of the change, and of what one person changed recently. */
export function comparedMinor(
  { lines }: FileChange,
  { aloneMinor }: Pick<CheckedPerson, 'aloneMinor'>,
): bigint {
  return usualPayDifference(lines) + aloneMinor;
}
