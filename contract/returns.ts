/** Most bytes and entries of a returns file. Each return is booked in the transaction that books the file. */
export const RETURN_FILE_MAX_BYTES = 5 * 1024 * 1024;
export const MAX_RETURN_ENTRIES = 1000;

/** Banking days in which a notification of change is to be acted on (NACHA Operating Rules, 2.12.1). */
export const CHANGE_BANKING_DAYS = 6;

export const RETURN_ENTRY_KINDS = ['return', 'change', 'dishonored', 'contested'] as const;

/**
 * Booked: the money is back. Unknown: it needs an administrator, who finds its payment or sets it aside (`not_ours`).
 * Repeated: an earlier file has it. Listed: it changes nothing. A change is proposed, then accepted or declined.
 */
export const RETURN_ENTRY_STATUSES = [
  ...(['booked', 'unknown', 'not_ours', 'repeated', 'listed'] as const),
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
  account: 'went to an account that was changed since, or to a payee, whose owner has to edit it',
  data: 'has corrected data that Purser keeps nowhere',
} as const;
export type ReturnCause = keyof typeof RETURN_CAUSES;
