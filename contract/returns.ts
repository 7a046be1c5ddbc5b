import { MAX_PAYOUT_ITEMS } from './payouts.ts';

/**
 * Most bytes of a returns file. A pain.002 has about 350 bytes for each of 100,000 payments, and 1,000 where the bank repeats
 * their accounts and addresses. By NACHA they are two records of 94 characters and a line end each.
 */
export const RETURN_FILE_MAX_BYTES = 100 * 1024 * 1024;
/** Most entries of a returns file: a payout file that the bank rejects comes back whole. */
export const MAX_RETURN_ENTRIES = MAX_PAYOUT_ITEMS;
/** Most entries of a returns file that its page shows together. */
export const RETURN_ENTRIES_SHOWN = 100;
/** Payments that a search for the payment of a return finds; more are found by another search. */
export const RETURNED_PAYMENTS_FOUND = 20;

/** Banking days in which a notification of change is to be acted on (NACHA Operating Rules, 2.12.1). */
export const CHANGE_BANKING_DAYS = 6;

export const RETURN_ENTRY_KINDS = ['return', 'change', 'dishonored', 'contested'] as const;

/**
 * Waiting: it is booked soon, because its file is large. Booked: the money is back. Unknown: it needs an administrator, who finds its payment or sets it aside (`not_ours`).
 * Repeated: an earlier file has it. Listed: it changes nothing. A change is proposed, then accepted or declined.
 */
export const RETURN_ENTRY_STATUSES = [
  ...(['waiting', 'booked', 'unknown', 'not_ours', 'repeated', 'listed'] as const),
  ...(['proposed', 'accepted', 'declined'] as const),
] as const;
export type ReturnEntryStatus = (typeof RETURN_ENTRY_STATUSES)[number];

/** Causes for which an entry was not booked or proposed by itself, in words for an administrator. */
export const RETURN_CAUSES = {
  trace: 'is in no file of ours',
  company: 'is of another company',
  amount: 'is in a file of ours with another amount',
  reference: 'is in a file of ours with another reference',
  not_sent: 'is in a file of ours that was not sent',
  debit: 'comes back as a debit, and we send credits',
  reversal: 'says that the other bank did not take the payment back',
  returned: 'has come back already',
  duty: 'takes another administrator, who did not pay it',
  account: 'went to an account that was changed since, or to a payee, whose owner has to edit it',
  data: 'has corrected data that Purser keeps nowhere',
} as const;
export type ReturnCause = keyof typeof RETURN_CAUSES;
