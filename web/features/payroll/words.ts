import type { PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { DEPARTMENTS, DEPARTMENT_IDS, type Department } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { PAYDAY_HOUR, type PayrollDifference, type PayrollLineStatus } from '#contract/payroll.ts';
import { WALLET_LABELS, WALLET_TYPES, type WalletType } from '#contract/wallets.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';

export const DEPARTMENT_LABELS: Record<Department | 'all' | 'chosen', string> = {
  all: 'All departments',
  chosen: 'Chosen people',
  ...DEPARTMENTS,
};

export const WALLET_OPTIONS: readonly SelectOption<WalletType>[] = WALLET_TYPES.map((value) => ({
  value,
  label: WALLET_LABELS[value],
}));

const departments: readonly (Department | 'all')[] = ['all', ...DEPARTMENT_IDS];

export const DEPARTMENT_OPTIONS: readonly SelectOption<Department | 'all'>[] = departments.map(
  (value) => ({ value, label: DEPARTMENT_LABELS[value] }),
);

/** The same with people who are chosen by name, for whom a draft is made. */
export const RECIPIENT_OPTIONS: readonly SelectOption<Department | 'all' | 'chosen'>[] = [
  ...DEPARTMENT_OPTIONS,
  { value: 'chosen', label: DEPARTMENT_LABELS.chosen },
];

/** An unpaid line has no status of its own on screen. It shows "Waiting". */
export const LINE_STATUS_LABELS: Record<PayrollLineStatus, string> = {
  draft: 'Waiting',
  processed: statusTable.processed.label,
  failed: statusTable.failed.label,
  skipped: statusTable.skipped.label,
  reversed: statusTable.reversed.label,
};

/**
 * The time a payroll is sent and how long it can be stopped. Empty without a preview.
 *
 * @param payOn its pay date, if it has one
 * @param today in the company's time zone
 */
export function sendingWords(
  preview: Pick<PayrollPreview, 'cancelSeconds'> | undefined,
  payOn: string | null | undefined,
  today: string,
): string {
  if (preview === undefined) return '';
  const { cancelSeconds } = preview;
  if (payOn != null && payOn > today) {
    return `Money reaches wallets on ${formatDay(payOn, 'weekday')} from ${PAYDAY_HOUR}:00 AM. You can stop the payroll until then.`;
  }
  if (cancelSeconds === 0) {
    return 'Money reaches wallets immediately. A sent batch cannot be recalled.';
  }
  return `Money moves ${counted(cancelSeconds, 'second')} after you confirm. You can stop the payroll until then.`;
}

/** "1 employee", "9 employees" */
export function employeesWords(count: number): string {
  return counted(count, 'employee');
}

/** Total of a draft with all its types of wallet. */
export function draftTotal({ wallets, total }: PayrollDraft): Amount {
  const minor = wallets.reduce((sum, wallet) => sum + BigInt(wallet.total.minor), 0n);
  return money(minor, total.currency);
}

/** A draft with the number of people of each type of wallet; a scheduled payroll has the same. */
interface Counted {
  employees: number;
  wallets: readonly { employees: number }[];
}

/** "58 employees", of several types of wallet "70 payments into 2 types of wallet". */
export function draftWords({ wallets, employees }: Counted): string {
  if (wallets.length === 1) return employeesWords(employees);
  const payments = wallets.reduce((sum, wallet) => sum + wallet.employees, 0);
  return `${counted(payments, 'payment')} into ${wallets.length} types of wallet`;
}

/** Name of a group of differences to the last payroll. */
export function groupWords(group: PayrollDifference, percent: number): string {
  const words: Record<PayrollDifference, string> = {
    new: 'New',
    gone: 'Gone',
    changed: `Changed by more than ${percent}%`,
    total: 'Total',
  };
  return words[group];
}
