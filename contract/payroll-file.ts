/** A file of amounts for a payroll: what its columns may be called. */
import { IMPORT_MAX_COLUMNS } from './employee-import.ts';
import { findOnlyColumns, plainHeading, rivalColumns, rivalsOf } from './file-columns.ts';
import type { FileColumn, FileMapping } from './file-columns.ts';
import { USUAL_PAY_FILE_COLUMNS } from './usual-pay-file.ts';
import { WALLET_LABELS, WALLET_TYPES } from './wallets.ts';
import type { WalletType } from './wallets.ts';

/** Most errors that a reply shows. */
export const PAYROLL_FILE_SHOWN = 200;
/** Most rows that are left out by name. A file with more errors is corrected. */
export const PAYROLL_FILE_LEFT_OUT = 200;
/** Most people who are not in the file, though the last payroll paid them, in a reply. For the others one choice is made. */
export const PAYROLL_FILE_ABSENT = 100;
/** Most rows with errors that are downloaded. */
export const PAYROLL_FILE_ERROR_ROWS = 10_000;
/** First rows that a reply has, by which a person recognizes the columns. */
export const PAYROLL_FILE_SAMPLES = 3;

/** Most columns of taxes and deductions that go on a payslip: all columns that a file can have. */
export const PAYROLL_FILE_DEDUCTIONS = IMPORT_MAX_COLUMNS;
/** Most characters of a heading that go on a payslip. */
export const BREAKDOWN_NAME_LENGTH = 60;

/**
 * Decision about a person whom the last payroll paid and the file does not name: left out on purpose, paid as last time,
 * or left for the sheet of the draft.
 */
export const ABSENT_CHOICES = ['out', 'last', 'sheet'] as const;
export type AbsentChoice = (typeof ABSENT_CHOICES)[number];

/** Fields of a row; a type of wallet is the amount for it, where the payroll pays it besides that of its draft. */
export const PAYROLL_FILE_FIELDS = [
  'employeeId',
  'email',
  'amount',
  'gross',
  ...WALLET_TYPES,
] as const;
export type PayrollFileField = (typeof PAYROLL_FILE_FIELDS)[number];
export interface PayrollFileMapping extends FileMapping<PayrollFileField> {
  /** Columns of taxes and deductions, counted from 0. They count with a column of gross pay only. */
  deductions: readonly number[];
}

export const PAYROLL_FILE_LABELS: Readonly<Record<PayrollFileField, string>> = {
  employeeId: 'Employee ID',
  email: 'Email',
  amount: 'Amount',
  gross: 'Gross',
  ...WALLET_LABELS,
};

/** Names of a column that has what is paid out, whatever the wallet. */
const NET_PAY = ['net pay', 'net amount', 'net', 'pay', 'amount'];
const GROSS_PAY: FileColumn = {
  label: PAYROLL_FILE_LABELS.gross,
  names: ['gross', 'gross pay', 'gross amount', 'gross wages', 'gross salary', 'gross earnings'],
};
/** Words by which a column is one of taxes or deductions, in names that have none of the others. */
const DEDUCTION =
  /\b(?:tax|taxes|withheld|withholding|ded|deduction|deductions|fica|medicare|social security|insurance|medical|dental|vision|pension|401\(?k|hsa|fsa|garnishment|dues)\b/;
const NO_DEDUCTION = /\b(?:employer|gross|net|taxable|ytd|year)\b/;

/**
 * The columns of a file of amounts for wallets of a type, and of the further types that its payroll pays. Those of other
 * types do not count.
 *
 * @returns null for a field that no column, or more than one, names; deductions also where more than one names gross pay
 */
export function findPayrollColumns(
  header: readonly string[],
  walletType: WalletType,
  further: readonly WalletType[] = [],
): PayrollFileMapping {
  const { employeeId, email } = USUAL_PAY_FILE_COLUMNS;
  const own = amountsFor(walletType);
  const found = findOnlyColumns(header, { employeeId, email, amount: own, gross: GROSS_PAY });
  const isUnnamed = found.amount === null && rivalColumns(header, own) === undefined;
  const { amount } = isUnnamed
    ? findOnlyColumns(header, { amount: { ...own, names: NET_PAY } })
    : found;
  const wallets = { salary: null, savings: null, retirement: null, irs: null };
  if (further.length > 0) {
    Object.assign(wallets, findOnlyColumns(header, amountsOf(further)));
    // Gross pay less deductions is what all wallets get, and a breakdown is of one payment.
    return { ...found, amount, gross: null, ...wallets, deductions: [] };
  }
  const hasGross = found.gross !== null || rivalColumns(header, GROSS_PAY) !== undefined;
  const deductions = hasGross ? deductionsIn(header, amount) : [];
  // Gross pay alone explains no net pay, so it is not taken without somebody's word.
  const gross = deductions.length === 0 ? null : found.gross;
  return { ...found, amount, gross, ...wallets, deductions };
}

/** Columns that are amounts for wallets of a type, apart from those of net pay. */
function amountsFor(type: WalletType): FileColumn {
  const { label, names } = USUAL_PAY_FILE_COLUMNS[type];
  return { label, names: names.filter((name) => !NET_PAY.includes(name)) };
}

/** Those of several types, by the type. */
function amountsOf<Type extends WalletType>(types: readonly Type[]): Record<Type, FileColumn> {
  const columns = types.map((type) => [type, amountsFor(type)]);
  return Object.fromEntries(columns) as Record<Type, FileColumn>;
}

/** Fields that several columns of a file name, each with these columns in words. */
export type PayrollFileRivals = Partial<Record<PayrollFileField, string>>;

/**
 * Fields that several columns name. Somebody has to choose, because one of them would not be read.
 *
 * @param found as `findPayrollColumns` found it for the same types
 */
export function rivalPayrollColumns(
  header: readonly string[],
  found: Pick<PayrollFileMapping, 'amount' | 'gross' | 'deductions'>,
  walletType: WalletType,
  further: readonly WalletType[],
): PayrollFileRivals {
  const { employeeId, email } = USUAL_PAY_FILE_COLUMNS;
  const own = amountsFor(walletType);
  const amount = rivalColumns(header, own) ?? rivalColumns(header, { ...own, names: NET_PAY });
  return {
    ...rivalsOf(header, { employeeId, email, ...amountsOf(further) }),
    ...(found.amount === null && amount !== undefined && { amount }),
    ...(found.gross === null &&
      found.deductions.length > 0 &&
      rivalsOf(header, { gross: GROSS_PAY })),
  };
}

/** Columns of taxes and deductions by their names. Those of totals count where there is nothing else. */
function deductionsIn(header: readonly string[], amount: number | null): number[] {
  const found = header.flatMap((name, index) => {
    const plain = plainHeading(name);
    const isOne = index !== amount && DEDUCTION.test(plain) && !NO_DEDUCTION.test(plain);
    return isOne ? [{ index, isTotal: /\btotal\b/.test(plain) }] : [];
  });
  const single = found.filter(({ isTotal }) => !isTotal);
  const counted = single.length > 0 ? single : found;
  return counted.map(({ index }) => index);
}

/**
 * Columns that have to be chosen, in words: "Employee ID or Email", "Amount", and those of `rivalPayrollColumns`, as
 * "Email (columns “Email” and “Work Email”)". Empty if all are known.
 */
export function missingPayrollColumns(
  { employeeId, email, amount }: PayrollFileMapping,
  rivals: PayrollFileRivals,
): string[] {
  const isNobody = (employeeId ?? email ?? rivals.employeeId ?? rivals.email) == null;
  return [
    ...(isNobody ? ['Employee ID or Email'] : []),
    ...(amount === null && rivals.amount === undefined ? [PAYROLL_FILE_LABELS.amount] : []),
    ...PAYROLL_FILE_FIELDS.flatMap((field) =>
      rivals[field] === undefined
        ? []
        : [`${PAYROLL_FILE_LABELS[field]} (columns ${rivals[field]})`],
    ),
  ];
}
