/**
 * Number of times that a person may do within an hour what costs others attention, or collects what the
 * company keeps. Operations of one name are counted together (`hourly` on the operation).
 */
export const HOURLY_LIMITS = {
  /** Bank accounts and payees added and changed: an admin has to verify each, and each sends a mail. */
  bankAccounts: 20,
  /** Amounts of micro-deposits entered: three tries for each bank account. */
  microDeposits: 20,
  /** Account numbers shown in full. */
  accountNumbers: 60,
  /** Lists of whole numbers of chosen payouts, of at most 100 each. */
  payoutDetails: 20,
  /** Images sent. */
  uploads: 120,
  /** Payslips, statements and receipts saved as PDF. */
  documents: 120,
  /** All documents of a year saved in one archive: hundreds are drawn. */
  archives: 4,
  /** Lists exported. */
  exports: 30,
  /** Mail sent again to an address that did not exist. */
  mailResumed: 5,
  /** Private addresses made for the calendar of a phone. */
  calendarAddresses: 10,
  /** Times that one of them is read: phones ask once or a few times a day. */
  calendarReads: 60,
  /** Passkeys renamed: each sends a mail. */
  passkeyNames: 20,
  /** Times that links to choose a first password are made for up to 100 people. */
  passwordLinks: 60,
  /** Questions asked: an admin has to answer each. */
  questions: 10,
  /** Test messages to the address of a webhook, and messages sent to it again. */
  webhookMessages: 60,
  /** Requests by one API key. */
  apiKeyRequests: 3_600,
} as const;

/** Seconds in which what {@link HOURLY_LIMITS} allows can be done. */
export const HOUR_S = 3_600;

export type HourlyLimit = keyof typeof HOURLY_LIMITS;
