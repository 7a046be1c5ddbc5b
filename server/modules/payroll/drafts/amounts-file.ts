import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { readAmountCell } from '#contract/amount-cells.ts';
import type { PayrollFileCheck, RouteArguments } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { IMPORT_MAX_ROWS } from '#contract/employee-import.ts';
import { formatMoney, money } from '#contract/money.ts';
import { reasonWords } from '#contract/payroll.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import {
  findPayrollColumns,
  missingPayrollColumns,
  PAYROLL_FILE_ABSENT,
  PAYROLL_FILE_LABELS,
  PAYROLL_FILE_SAMPLES,
  PAYROLL_FILE_SHOWN,
} from '#contract/payroll-file.ts';
import type { Reader } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { matchPeople, readSheet } from '#server/modules/imports/index.ts';
import type { NamedRow, Sheet } from '#server/modules/imports/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { amountsSheet, readBreakdown, sumAll } from '../breakdown.ts';
import type { AmountsField, Breakdown } from '../breakdown.ts';
import { problemOf } from '../decide-lines.ts';
import { readAbsent } from './absent-people.ts';
import type { AbsentPerson } from './absent-people.ts';
import { numbersIn } from './file-columns.ts';
import type { FoundColumns } from './file-columns.ts';
import type { LockedDraft } from './lock-draft.ts';

/** The draft that a file would fill in. */
export type FilledDraft = Pick<
  LockedDraft,
  'id' | 'walletType' | 'department' | 'currency' | 'version' | 'payOn'
>;

type Query = RouteArguments<'adminCheckPayrollFile'>['query'];

/**
 * Reads a CSV file of amounts.
 *
 * @throws {AppError} as `readSheet`; `import_too_many_rows`
 */
export function readAmountsFile(
  body: UploadBody,
  { walletType }: Pick<FilledDraft, 'walletType'>,
): Promise<Sheet> {
  return readSheet(body, {
    isHeader: (cells) => {
      const { employeeId, email } = findPayrollColumns(cells, walletType);
      return employeeId !== null || email !== null;
    },
    most: IMPORT_MAX_ROWS,
    tooMany: 'import_too_many_rows',
  });
}

interface Amount {
  userId: string;
  /** Number of its row in the file, and the person as it names them. */
  row: number;
  who: string;
  minor: bigint;
  breakdown: Breakdown | null;
}

/** A file that was checked: the reply, and the amounts that it would fill in. */
export interface CheckedAmounts {
  check: PayrollFileCheck;
  /** All of them, in the order of the file; nothing may be filled in while there are problems. */
  amounts: readonly Amount[];
  totalMinor: bigint;
  /** All errors. The reply has the first of them. */
  problems: PayrollFileCheck['problems'];
  /** Everyone whom the last payroll paid and no row names. */
  absent: readonly AbsentPerson[];
  /** Rows without an amount. */
  blank: readonly number[];
}

interface ReadFile extends Pick<Query, 'leftOut'>, FoundColumns {
  sheet: Sheet;
  /** In the company's time zone. */
  today: string;
}

interface ReadRow extends NamedRow {
  /** Null where the cell cannot be read. */
  minor: bigint | null;
  breakdown: Breakdown | null;
  note: (field: AmountsField, message: string, name?: string) => void;
}

/** Checks a file against the draft that it would fill in. While columns are missing no row is looked at. */
export async function checkAmounts(
  reader: Reader,
  draft: FilledDraft,
  settings: CompanySettings,
  { sheet, mapping, rivals, today, leftOut: left }: ReadFile,
): Promise<CheckedAmounts> {
  const { currency } = draft;
  const missing = missingPayrollColumns(mapping, rivals);
  const problems: PayrollFileCheck['problems'] = [];
  const leftOut: PayrollFileCheck['leftOut'] = [];
  const rows: ReadRow[] = [];
  /** Rows without an amount to fill in, which still name people. */
  const others: NamedRow[] = [];
  let totalMinor = 0n;
  const blank: number[] = [];
  if (missing.length === 0) {
    const cells = amountsSheet(sheet, mapping, PAYROLL_FILE_LABELS);
    const notation = await cells.notationOf(['amount'], currency);
    const isLeft = new Set(numbersIn(left));
    for await (const row of cells.rows()) {
      const read = readAmountCell(cells.cellOf(row, 'amount'), { notation, currency });
      const minor = typeof read === 'bigint' ? read : null;
      totalMinor += minor ?? 0n;
      const employeeId = cells.employeeIdOf(row, 'employeeId');
      const email = cells.emailOf(row, 'email');
      const who = employeeId === '' ? email : employeeId;
      if (isLeft.has(row.rowNumber)) {
        const amount = minor === null ? null : money(minor, currency);
        leftOut.push({ row: row.rowNumber, who, amount });
        others.push({ row: row.rowNumber, employeeId, email });
        continue;
      }
      const stray = cells.strayOf(row, currency);
      if (stray !== null) problems.push({ ...stray, who });
      if (read === null) {
        blank.push(row.rowNumber);
        others.push({ row: row.rowNumber, employeeId, email });
        continue;
      }
      const note: ReadRow['note'] = (field, message, name = who) => {
        problems.push({ ...cells.problemOf(row, field, message), who: name });
      };
      if (typeof read !== 'bigint') note('amount', read.problem);
      const { header } = sheet;
      const breakdown = readBreakdown({
        cells,
        row,
        header,
        mapping,
        notation,
        currency,
        minor,
        note,
      });
      rows.push({ row: row.rowNumber, employeeId, email, minor, breakdown, note });
    }
  }
  const { amounts, ids } = await amountsOf(reader, draft, settings, rows);
  problems.sort((one, other) => one.row - other.row);
  const { lastOn, people: absent } =
    missing.length > 0
      ? { lastOn: null, people: [] }
      : await readAbsent(reader, settings, draft, {
          on: draft.payOn ?? today,
          named: [...ids, ...idsIn(await matchPeople(reader, others))],
        });
  return {
    amounts,
    totalMinor,
    problems,
    absent,
    blank,
    check: {
      version: draft.version,
      header: [...sheet.header],
      missing,
      leftOut,
      columns: { ...mapping, deductions: [...mapping.deductions] },
      samples: sheet.rows.slice(0, PAYROLL_FILE_SAMPLES).map(({ cells }) => [...cells]),
      counts: {
        rows: sheet.rows.length,
        employees: amounts.length,
        blank: blank.length,
        leftOut: leftOut.length,
        problems: problems.length,
        absent: absent.length,
      },
      total: money(totalMinor, currency),
      filled: money(
        amounts.reduce((sum, { minor }) => sum + minor, 0n),
        currency,
      ),
      wallets: [],
      breakdown: mapping.gross === null ? null : sumAll(amounts, currency),
      problems: problems.slice(0, PAYROLL_FILE_SHOWN),
      lastOn,
      absent: absent.slice(0, PAYROLL_FILE_ABSENT).map(({ employeeNumber, lastMinor, ...one }) => ({
        ...one,
        employeeId: employeeNumber,
        last: money(lastMinor, currency),
      })),
      absentLast: money(
        absent.reduce((sum, { lastMinor }) => sum + lastMinor, 0n),
        currency,
      ),
      hash: hashOf(amounts, absent),
    },
  };
}

function hashOf(amounts: readonly Amount[], absent: readonly AbsentPerson[]): string {
  const parts = [
    amounts.map(({ userId, minor, breakdown }) => [userId, minor.toString(), breakdown]),
    absent.map(({ id, lastMinor }) => [id, lastMinor.toString()]),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

type Matches = Awaited<ReturnType<typeof matchPeople>>;

function idsIn(matches: Matches): string[] {
  return [...matches.values()].flatMap(({ userId }) => (userId === null ? [] : [userId]));
}

/** The amounts of people whom the draft can pay, and the ids of all who are named. Notes what is wrong with other rows. */
async function amountsOf(
  reader: Reader,
  draft: FilledDraft,
  settings: CompanySettings,
  rows: readonly ReadRow[],
): Promise<{ amounts: Amount[]; ids: string[] }> {
  const matches = await matchPeople(reader, rows);
  const ids = idsIn(matches);
  const people = await readPeople(reader, draft, ids);
  const amounts = rows.flatMap(({ row, employeeId, email, minor, breakdown, note }) => {
    const match = matches.get(row);
    if (match === undefined) return [];
    if (match.userId === null) {
      note(match.field, match.message);
      return [];
    }
    const person = people.get(match.userId);
    const problem = person === undefined ? 'Nobody who is paid' : problemOfPerson(person, draft);
    if (problem !== undefined) note(match.field, problem, person?.name);
    if (minor === null) return [];
    const limitMinor = settings.payrollLineLimitMinor;
    if (minor > limitMinor) {
      const limit = formatMoney(money(limitMinor, draft.currency));
      note('amount', new AppError('payroll_line_limit', { limit }).message, person?.name);
    }
    const who = person?.name ?? (employeeId === '' ? email : employeeId);
    return [{ userId: match.userId, row, who, minor, breakdown }];
  });
  return { amounts, ids };
}

interface Person {
  id: string;
  name: string;
  problem: PayrollLineReason | null;
  isChosen: boolean;
}

async function readPeople(
  reader: Reader,
  draft: FilledDraft,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  const { rows } = await sql<Person>`
    SELECT person.id, person.name, ${problemOf(draft)} AS problem, named.user_id IS NOT NULL AS is_chosen
      FROM app_user AS person
      LEFT JOIN wallet ON wallet.user_id = person.id AND wallet.type = ${draft.walletType}
                      AND wallet.closed_at IS NULL
      LEFT JOIN payroll_draft_person AS named ON named.user_id = person.id AND named.draft_id = ${draft.id}
     WHERE person.id = ANY (${ids}::uuid[])`.execute(reader);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Reason for which a draft cannot pay a person; undefined if it can. */
function problemOfPerson(
  { problem, isChosen: isNamed }: Person,
  { department, walletType }: FilledDraft,
): string | undefined {
  if (department === 'chosen' && !isNamed) return 'Not among the people chosen for this payroll';
  if (problem === null) return undefined;
  if (problem === 'other_department' && department !== 'all' && department !== 'chosen') {
    return `Not in ${DEPARTMENTS[department]}, which this payroll pays`;
  }
  return reasonWords(problem, walletType);
}
