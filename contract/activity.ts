/**
 * Events of a person's money, as lists show them: one row for each posted transaction, and one
 * for each request that is not posted. Which statuses of a request are shown as which is here alone.
 */
import type { BillStatus } from './bills.ts';
import type { DepositStatus } from './deposits.ts';
import type { WithdrawalStatus } from './withdrawals.ts';

/**
 * Types under which a movement of money is shown. A kind of posting in the ledger has the name of its
 * type. Amounts are signed from the person's side: money in is positive, money out negative.
 */
export const TRANSACTION_TYPES = [
  'payroll',
  'deposit',
  'withdrawal',
  'transfer',
  'move',
  'bill',
  'funding',
  'fee',
  'reversal',
  'recovery',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** The words on screen. */
export const TRANSACTION_TYPE_LABELS = {
  payroll: 'Payroll',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  transfer: 'Transfer',
  move: 'Move',
  bill: 'Bill',
  funding: 'Funding',
  fee: 'Fee',
  reversal: 'Reversal',
  recovery: 'Recovery',
} as const satisfies Record<TransactionType, string>;

/** Kinds that start as a request, and are listed before they are posted. */
export const REQUEST_TYPES = ['deposit', 'withdrawal', 'bill'] as const satisfies TransactionType[];
export type RequestType = (typeof REQUEST_TYPES)[number];

export const TRANSACTION_STATUSES = ['completed', 'pending', 'failed', 'cancelled'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** True if no money moved, so that the amount is only the requested one. */
export function isVoid(status: TransactionStatus): boolean {
  return status === 'failed' || status === 'cancelled';
}

/** Filters of a history. */
export const TRANSACTION_CATEGORIES = ['deposit', 'withdrawal', 'payroll', 'transfer'] as const;
export type TransactionCategory = (typeof TRANSACTION_CATEGORIES)[number];

/**
 * The types that pay somebody by payroll: a payroll's lines, and the line of an individual funding. Every sum
 * that is called payroll has both.
 */
export const PAYROLL_TYPES = ['payroll', 'funding'] as const satisfies TransactionType[];

/** The category of each type. A reversal has that of what it reverses. */
export const CATEGORY_OF = {
  payroll: 'payroll',
  deposit: 'deposit',
  funding: 'payroll',
  recovery: 'payroll',
  withdrawal: 'withdrawal',
  fee: 'withdrawal',
  transfer: 'transfer',
  move: 'transfer',
  bill: 'transfer',
} as const satisfies Record<Exclude<TransactionType, 'reversal'>, TransactionCategory>;

/**
 * Statuses under which a request is shown. A completed one is posted, and shown by its posting. One that
 * came back stays completed: its reversal is a transaction of its own.
 */
export const WITHDRAWAL_SHOWN_AS = {
  pending: 'pending',
  approved: 'pending',
  processing: 'pending',
  completed: 'completed',
  returned: 'completed',
  rejected: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<WithdrawalStatus, TransactionStatus>;

export const BILL_SHOWN_AS = {
  scheduled: 'pending',
  due: 'pending',
  sent: 'pending',
  paid: 'completed',
  returned: 'completed',
  rejected: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<BillStatus, TransactionStatus>;

export const DEPOSIT_SHOWN_AS = {
  pending: 'pending',
  approved: 'completed',
  rejected: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<DepositStatus, TransactionStatus>;
