/** A file of amounts for a payroll: what its columns may be called. */
import { findOnlyColumns } from './file-columns.ts';
import type { FileColumn, FileMapping } from './file-columns.ts';
import { USUAL_PAY_FILE_COLUMNS } from './usual-pay-file.ts';
import type { WalletType } from './wallets.ts';

/** Most errors that a reply shows. */
export const PAYROLL_FILE_SHOWN = 200;
/** Most rows that are left out by name. A file with more errors is corrected. */
export const PAYROLL_FILE_LEFT_OUT = 200;
/** First rows that a reply has, by which somebody tells the columns apart. */
export const PAYROLL_FILE_SAMPLES = 3;

export const PAYROLL_FILE_FIELDS = ['employeeId', 'email', 'amount'] as const;
export type PayrollFileField = (typeof PAYROLL_FILE_FIELDS)[number];
export type PayrollFileMapping = FileMapping<PayrollFileField>;

export const PAYROLL_FILE_LABELS: Readonly<Record<PayrollFileField, string>> = {
  employeeId: 'Employee ID',
  email: 'Email',
  amount: 'Amount',
};

/** Names of a column that has what is paid out, whatever the wallet. */
const NET_PAY = ['net pay', 'net amount', 'net', 'pay', 'amount'];

/**
 * The columns of a file of amounts for wallets of a type. A payroll pays one type of wallet, so one column counts: of a
 * file with a column for each wallet, that of the payroll's.
 *
 * @returns null for a field that no column, or more than one, names
 */
export function findPayrollColumns(
  header: readonly string[],
  walletType: WalletType,
): PayrollFileMapping {
  const { employeeId, email } = USUAL_PAY_FILE_COLUMNS;
  const ofWallet = USUAL_PAY_FILE_COLUMNS[walletType].names.filter(
    (name) => !NET_PAY.includes(name),
  );
  const amountIn = (names: readonly string[]): FileColumn => ({
    label: PAYROLL_FILE_LABELS.amount,
    names,
  });
  const found = findOnlyColumns(header, { employeeId, email, amount: amountIn(ofWallet) });
  const { amount } =
    found.amount === null ? findOnlyColumns(header, { amount: amountIn(NET_PAY) }) : found;
  return { ...found, amount };
}

/** Columns that a file lacks, in words: "Employee ID or Email", "Amount". Empty if it has all. */
export function missingPayrollColumns({ employeeId, email, amount }: PayrollFileMapping): string[] {
  return [
    ...(employeeId === null && email === null ? ['Employee ID or Email'] : []),
    ...(amount === null ? ['Amount'] : []),
  ];
}
