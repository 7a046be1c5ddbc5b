import type { RouteArguments } from '#contract/api.ts';
import {
  findPayrollColumns,
  PAYROLL_FILE_FIELDS,
  PAYROLL_FILE_LABELS,
} from '#contract/payroll-file.ts';
import type { PayrollFileField, PayrollFileMapping } from '#contract/payroll-file.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { recallColumns } from '#server/modules/imports/index.ts';
import type { LockedDraft } from './lock-draft.ts';

type OfWallet = Pick<LockedDraft, 'walletType'>;

/** Columns as a request chooses them. */
type ChosenColumns = Pick<
  RouteArguments<'adminCheckPayrollFile'>['query'],
  PayrollFileField | 'deductions'
>;

/** Purpose under which the columns of such a file are remembered. */
export function purposeOf({ walletType }: OfWallet): string {
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
  draft: OfWallet,
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
  // Columns chosen before breakdowns were read have none of one.
  return { employeeId: null, email: null, amount: null, gross: null, deductions: [], ...known };
}

/** True if a request says which column is which. */
export function isChosen(query: ChosenColumns): boolean {
  return query.deductions !== '' || PAYROLL_FILE_FIELDS.some((field) => query[field] != null);
}

/** Numbers with commas between them. */
export function numbersIn(text: string): number[] {
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
