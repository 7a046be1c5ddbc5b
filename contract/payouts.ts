import { addBankingDays } from './banking-days.ts';
import { line } from './rules.ts';

/** Facts that an admin enters when completing a withdrawal or a bill. */
export const completionRules = {
  /** The bank's reference of the payout or of the file it was sent in; may be empty. */
  bankReference: line(35),
};

/**
 * Most payments of one file. They are made and given out in one transaction each, of some seconds in which nobody makes
 * another file, and posted in chunks.
 */
export const MAX_PAYOUT_ITEMS = 100_000;
/** Most payments that are chosen one by one, as many as the body of a request has room for. */
export const MAX_CHOSEN_PAYMENTS = 1000;
/** Most payments that the page of payouts shows of those that are ready, and of those that are held. */
export const PAYOUTS_SHOWN = 200;
/** Entries of a file, and files, that a page shows. */
export const PAYOUT_ENTRIES_SHOWN = 100;
/** Payments of a file that came back, shown under it. */
export const CAME_BACK_SHOWN = 5;
/** Payments of a file that could not be posted, shown on its page. */
export const REFUSED_SHOWN = 20;
export const PAYOUT_FILES_SHOWN = 15;

/**
 * Times in New York until which a bank takes files whose payments arrive on the same day. Each bank has its own, before
 * the three of the network (10:30 AM, 2:45 PM and 4:45 PM).
 */
export const SAME_DAY_TIMES = {
  none: 'Not offered by the bank',
  '0930': '9:30 AM ET',
  '1015': '10:15 AM ET',
  '1230': '12:30 PM ET',
  '1345': '1:45 PM ET',
  '1415': '2:15 PM ET',
  '1530': '3:30 PM ET',
  '1615': '4:15 PM ET',
} as const;

/** Checks of a payout file, in the order of its page. One that fails blocks its download. */
export const PAYOUT_CHECKS = [
  ...(['routing', 'holds', 'single', 'payable', 'days', 'cutOff', 'readBack'] as const),
] as const;
export type PayoutCheck = (typeof PAYOUT_CHECKS)[number];

/** Formats of payout files. */
export const PAYOUT_FORMATS = ['nacha', 'pain001_03', 'pain001_09'] as const;
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number];

/**
 * Kinds of payees; one batch pays one of them on one day. `accounts` are bank accounts that get a prenote, which is no
 * payment; `micro_deposits` are those that get two deposits by which they are verified.
 */
export const PAYEE_GROUPS = ['people', 'businesses', 'accounts', 'micro_deposits'] as const;
export type PayeeGroup = (typeof PAYEE_GROUPS)[number];

/**
 * A prenote is an entry of no amount, by which the bank of an employee checks an account. A micro-deposit is one of two
 * whose amounts the employee enters.
 */
export const PAYOUT_KINDS = ['withdrawal', 'bill', 'prenote', 'micro_deposit'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/** Identification of the company in files: ten characters that the bank gave it. */
export const payoutIdRule = line(10, 'Enter the ten characters from your bank');

/** Causes for which a bank takes a payment back (NACHA Operating Rules, 2.10.1). */
export const BANK_REVERSAL_REASONS = ['duplicate', 'amount', 'receiver', 'date'] as const;
export type BankReversalReason = (typeof BANK_REVERSAL_REASONS)[number];
export const BANK_REVERSAL_LABELS: Readonly<Record<BankReversalReason, string>> = {
  duplicate: 'Paid twice',
  amount: 'Wrong amount',
  receiver: 'Wrong receiver',
  date: 'Paid too early',
};

/** Banking days after its settlement in which a reversal has to be at the receiver's bank (NACHA Operating Rules, 2.10.2). */
const REVERSAL_BANKING_DAYS = 5;

/** Last day on which a reversal of a payment of a NACHA file can be given to the bank: the day before it has to arrive. */
export function reversalDay(effectiveOn: string): string {
  return addBankingDays(effectiveOn, REVERSAL_BANKING_DAYS - 1, 'USD');
}
