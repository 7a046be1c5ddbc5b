import { DESCRIPTION_MAX_LENGTH, DRAFT_NAME_MAX_LENGTH, REASON_MAX_LENGTH } from './limits.ts';
import { line, paragraph } from './rules.ts';
import type { NumberRule } from './rules.ts';
import type { PAYROLL_STATUSES, PAYROLL_LINE_STATUSES } from './statuses.ts';
import { walletAccountWords } from './wallets.ts';
import type { WalletType } from './wallets.ts';
import { payrollBatch } from './things/payroll-batch.ts';
import { legalIn } from './things/thing.ts';
import { keysOf } from './keys.ts';

export type PayrollStatus = (typeof PAYROLL_STATUSES)[number];

export type PayrollLineStatus = (typeof PAYROLL_LINE_STATUSES)[number];

/**
 * Statuses of the batch in which each act is legal. A batch that waits for a second admin is approved
 * or declined, and not started before. `stop` ends one whose window is still open; it becomes a draft, as a
 * declined one does, and `discard` takes a draft off the lists.
 */
export const payrollCan = legalIn(payrollBatch);

/** Why a line was skipped before, or failed while, paying. */
export const PAYROLL_LINE_REASONS = [
  'no_wallet',
  // Signed up, and nobody has accepted them yet.
  'applicant',
  'wallet_closed',
  'employee_inactive',
  // Their draft is of one department, and they are of another now.
  'other_department',
  // Refusals by the ledger; the last is whatever has no words of its own.
  'funding_exhausted',
  'account_refused',
  'other_currency',
  'reference_used',
  'ledger_refused',
] as const;
export type PayrollLineReason = (typeof PAYROLL_LINE_REASONS)[number];

/** Reason a line was skipped or failed. */
export function reasonWords(reason: PayrollLineReason, walletType: WalletType): string {
  const account = walletAccountWords(walletType);
  const words: Record<PayrollLineReason, string> = {
    no_wallet: `No ${account}`,
    applicant: 'Not accepted yet',
    wallet_closed: `${account} is closed`,
    employee_inactive: 'No longer with the company',
    other_department: 'In another department now',
    funding_exhausted: 'Payroll funding ran out of money',
    account_refused: `${account} cannot receive money`,
    other_currency: `${account} is in another currency`,
    reference_used: 'Its payment reference is already used',
    ledger_refused: 'The ledger refused this payment',
  };
  return words[reason];
}

/** Origins of each person's own amount in a draft: usual pay, the last payroll, a file. */
export const AMOUNT_SOURCES = ['usual', 'last', 'file'] as const;

/**
 * Groups of differences to the last payroll: people who were not paid then, people who are not paid now, people whose
 * pay changed by more than the company's setting, and the total. Each is acknowledged before a payroll is sent.
 */
export const PAYROLL_DIFFERENCES = ['new', 'gone', 'changed', 'total'] as const;
export type PayrollDifference = (typeof PAYROLL_DIFFERENCES)[number];

/** Percent by which a person's pay may change before the change has to be acknowledged. */
export const PAYROLL_CHANGE_PERCENT: NumberRule = {
  least: 0,
  most: 100,
  problem: 'Enter a number of percent from 0 to 100',
};

/** Hour of a pay date, in the company's time zone, from which a payroll is paid. */
export const PAYDAY_HOUR = 6;

/** Reasons for which a paid line is taken back. */
export const REVERSAL_REASONS = {
  wrong_amount: 'Wrong amount',
  wrong_person: 'Wrong person',
  paid_twice: 'Paid twice',
  other: 'Other',
} as const;
export type ReversalReason = keyof typeof REVERSAL_REASONS;
export const REVERSAL_REASON_IDS = keysOf(REVERSAL_REASONS);

/** Rules for the texts of a reversal. The employee reads the message. */
export const reversalRules = {
  message: paragraph(REASON_MAX_LENGTH, 'Enter what to tell the employee'),
};

/** Highest number of a line: the integer of its column. */
export const MAX_PAYROLL_LINES = 2_147_483_647;

/** Lines of a payroll that one request takes back. Whoever takes back a whole payroll asks until none is left. */
export const MAX_REVERSED_LINES = 500;

/** Rules for the texts of a payroll order. Each employee reads the description. */
export const payrollOrderRules = {
  description: line(DESCRIPTION_MAX_LENGTH, 'Enter a description'),
};

/** Rules for the texts of a draft besides its description. */
export const payrollDraftRules = {
  name: line(DRAFT_NAME_MAX_LENGTH, 'Enter a name'),
  note: line(DESCRIPTION_MAX_LENGTH),
};

/** Time after confirming in which a payroll can be stopped, in seconds: up to ten minutes. */
export const PAYROLL_CANCEL_SECONDS: NumberRule = {
  least: 0,
  most: 600,
  problem: 'Enter a number of seconds from 0 to 600',
};
