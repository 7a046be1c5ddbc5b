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
  PAYROLL_FILE_FIELDS,
  PAYROLL_FILE_LABELS,
  PAYROLL_FILE_SAMPLES,
  PAYROLL_FILE_SHOWN,
} from '#contract/payroll-file.ts';
import type { PayrollFileField, PayrollFileMapping } from '#contract/payroll-file.ts';
import type { Reader } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { matchPeople, readSheet, recallColumns } from '#server/modules/imports/index.ts';
import type { NamedRow, Sheet } from '#server/modules/imports/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { amountsSheet, readBreakdown, sumAll } from '../breakdown.ts';
import type { AmountsField, Breakdown } from '../breakdown.ts';
import { problemOf } from '../decide-lines.ts';
import type { LockedDraft } from './lock-draft.ts';

/** The draft that a file would fill in. */
export type FilledDraft = Pick<
  LockedDraft,
  'id' | 'walletType' | 'department' | 'currency' | 'version'
>;

type Query = RouteArguments<'adminCheckPayrollFile'>['query'];
/** Columns as a request chooses them. */
type ChosenColumns = Pick<Query, PayrollFileField | 'deductions'>;

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
    ...{ most: IMPORT_MAX_ROWS, tooMany: 'import_too_many_rows' },
  });
}

/** Purpose under which the columns of such a file are remembered. */
export function purposeOf({ walletType }: Pick<FilledDraft, 'walletType'>): string {
  return `payroll ${walletType}`;
}

/**
 * The column of each field: as the request says; or as somebody chose them before for the same headings; or as their
 * names say.
 *
 * @throws {AppError} `invalid_request` for a column that the file has not, or that has two meanings, and for deductions
 *   without gross pay
 */
export async function columnsOf(
  reader: Reader,
  draft: FilledDraft,
  header: readonly string[],
  query: ChosenColumns,
): Promise<PayrollFileMapping> {
  if (isChosen(query)) {
    const { employeeId = null, email = null, amount = null, gross = null, deductions } = query;
    const chosen = { employeeId, email, amount, gross, deductions: numbersIn(deductions) };
    checkColumns(chosen, header);
    return chosen;
  }
  const kind = { purpose: purposeOf(draft), header };
  const known = await recallColumns<Partial<PayrollFileMapping>>(reader, kind);
  if (known === undefined) return findPayrollColumns(header, draft.walletType);
  // What was chosen before breakdowns were read has no columns of one.
  return { employeeId: null, email: null, amount: null, gross: null, deductions: [], ...known };
}

/** True if a request says which column is which. */
export function isChosen(query: ChosenColumns): boolean {
  return query.deductions !== '' || PAYROLL_FILE_FIELDS.some((field) => query[field] != null);
}

/** Numbers with commas between them. */
function numbersIn(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number);
}

/** @throws {AppError} `invalid_request` */
function checkColumns(mapping: PayrollFileMapping, header: readonly string[]): void {
  const { deductions } = mapping;
  const all = [
    ...PAYROLL_FILE_FIELDS.map((path) => ({ path, index: mapping[path] })),
    ...deductions.map((index) => ({ path: 'deductions' as const, index })),
  ];
  const wrong = all.flatMap(({ path, index }, place) => {
    if (index === null) return [];
    if (index >= header.length) return [{ path, message: 'Choose a column of the file' }];
    const other = all.slice(0, place).find((one) => one.index === index)?.path;
    if (other === undefined) return [];
    const meaning = other === 'deductions' ? 'a deduction' : `the ${PAYROLL_FILE_LABELS[other]}`;
    return [{ path, message: `This column is ${meaning} already` }];
  });
  if (deductions.length > 0 && mapping.gross === null) {
    wrong.push({ path: 'gross', message: 'Choose the column of gross pay, too' });
  }
  if (wrong.length > 0) throw new AppError('invalid_request', {}, wrong);
}

interface Amount {
  userId: string;
  minor: bigint;
  breakdown: Breakdown | null;
}

/** A file that was checked: the reply, and the amounts that it would fill in. */
export interface CheckedAmounts {
  check: PayrollFileCheck;
  /** All of them, in the order of the file; nothing may be filled in while there are problems. */
  amounts: readonly Amount[];
  totalMinor: bigint;
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
  {
    sheet,
    mapping,
    leftOut: left,
  }: { sheet: Sheet; mapping: PayrollFileMapping } & Pick<Query, 'leftOut'>,
): Promise<CheckedAmounts> {
  const { currency } = draft;
  const missing = missingPayrollColumns(mapping);
  const problems: PayrollFileCheck['problems'] = [];
  const leftOut: PayrollFileCheck['leftOut'] = [];
  const rows: ReadRow[] = [];
  let totalMinor = 0n;
  let blank = 0;
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
        continue;
      }
      if (read === null) {
        blank += 1;
        continue;
      }
      const note: ReadRow['note'] = (field, message, name = who) => {
        problems.push({ ...cells.problemOf(row, field, message), who: name });
      };
      if (typeof read !== 'bigint') note('amount', read.problem);
      const { header } = sheet;
      const breakdown = readBreakdown({
        ...{ cells, row, header, mapping, notation, currency, minor, note },
      });
      rows.push({ row: row.rowNumber, employeeId, email, minor, breakdown, note });
    }
  }
  const amounts = await amountsOf(reader, draft, settings, rows);
  problems.sort((one, other) => one.row - other.row);
  return {
    amounts,
    totalMinor,
    check: {
      ...{ version: draft.version, header: [...sheet.header], missing, leftOut },
      columns: { ...mapping, deductions: [...mapping.deductions] },
      samples: sheet.rows.slice(0, PAYROLL_FILE_SAMPLES).map(({ cells }) => [...cells]),
      counts: {
        ...{ rows: sheet.rows.length, employees: amounts.length, blank },
        ...{ leftOut: leftOut.length, problems: problems.length },
      },
      total: money(totalMinor, currency),
      filled: money(
        amounts.reduce((sum, { minor }) => sum + minor, 0n),
        currency,
      ),
      breakdown: mapping.gross === null ? null : sumAll(amounts, currency),
      problems: problems.slice(0, PAYROLL_FILE_SHOWN),
      hash: hashOf(amounts),
    },
  };
}

function hashOf(amounts: readonly Amount[]): string {
  const parts = amounts.map(({ userId, minor, breakdown }) => [
    ...[userId, minor.toString(), ...(breakdown === null ? [] : [breakdown])],
  ]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The amounts of people whom the draft can pay. Notes what is wrong with the other rows. */
async function amountsOf(
  reader: Reader,
  draft: FilledDraft,
  settings: CompanySettings,
  rows: readonly ReadRow[],
): Promise<Amount[]> {
  const matches = await matchPeople(reader, rows);
  const ids = [...matches.values()].flatMap(({ userId }) => (userId === null ? [] : [userId]));
  const people = await readPeople(reader, draft, ids);
  return rows.flatMap(({ row, minor, breakdown, note }) => {
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
    return [{ userId: match.userId, minor, breakdown }];
  });
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
