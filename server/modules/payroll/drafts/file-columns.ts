import type { RouteArguments } from '#contract/api.ts';
import {
  findPayrollColumns,
  PAYROLL_FILE_FIELDS,
  PAYROLL_FILE_LABELS,
  rivalPayrollColumns,
} from '#contract/payroll-file.ts';
import type {
  PayrollFileField,
  PayrollFileMapping,
  PayrollFileRivals,
} from '#contract/payroll-file.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { recallColumns } from '#server/modules/imports/index.ts';
import type { LockedDraft } from './lock-draft.ts';

/** The drafts that a file fills in: one, or the draft of a payroll and its parts. */
export type FilledTypes = readonly Pick<LockedDraft, 'walletType'>[];

/** Columns as a request chooses them. */
type ChosenColumns = Pick<
  RouteArguments<'adminCheckPayrollFile'>['query'],
  PayrollFileField | 'deductions'
>;

/** Purpose under which the columns of such a file are remembered. */
export function purposeOf(drafts: FilledTypes): string {
  return `payroll ${drafts.map(({ walletType }) => walletType).join(' ')}`;
}

/** Columns of a file, and the fields of which somebody has to choose the column. */
export interface FoundColumns {
  mapping: PayrollFileMapping;
  rivals: PayrollFileRivals;
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
  drafts: FilledTypes,
  header: readonly string[],
  query: ChosenColumns,
): Promise<FoundColumns> {
  if (isChosen(query)) {
    const fields = PAYROLL_FILE_FIELDS.map((field) => [field, query[field] ?? null]);
    const chosen: PayrollFileMapping = {
      ...(Object.fromEntries(fields) as Record<PayrollFileField, number | null>),
      deductions: numbersIn(query.deductions),
    };
    checkColumns(chosen, header, drafts);
    return { mapping: chosen, rivals: {} };
  }
  const kind = { purpose: purposeOf(drafts), header };
  const known = await recallColumns<Partial<PayrollFileMapping>>(reader, kind);
  const [first, ...further] = drafts.map(({ walletType }) => walletType);
  if (known === undefined) {
    const walletType = invariant(first, 'a file fills in a draft');
    const mapping = findPayrollColumns(header, walletType, further);
    return { mapping, rivals: rivalPayrollColumns(header, mapping, walletType, further) };
  }
  // Columns chosen before breakdowns or further types of wallet were read have none of these.
  const none = Object.fromEntries(PAYROLL_FILE_FIELDS.map((field) => [field, null]));
  const kept = { ...(none as Record<PayrollFileField, null>), deductions: [], ...known };
  return { mapping: kept, rivals: {} };
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
function checkColumns(
  mapping: PayrollFileMapping,
  header: readonly string[],
  [, ...further]: FilledTypes,
): void {
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
  for (const path of WALLET_TYPES) {
    if (mapping[path] !== null && further.every(({ walletType }) => walletType !== path)) {
      wrong.push({ path, message: 'This payroll has no part for it' });
    }
  }
  if (wrong.length > 0) throw new AppError('invalid_request', {}, wrong);
}
