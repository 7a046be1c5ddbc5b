/** One line of a transaction: `amountMinor` is added to the account's balance, and is never 0. */
export interface Entry {
  accountId: string;
  /** Whole minor units of the account's currency; positive is money in, negative money out. */
  amountMinor: bigint;
}

/** A transaction to be posted. Its entries sum to zero and are all in one currency. */
export interface Posting {
  /** A UUID version 7; made when absent. */
  id?: string;
  /** What kind of event it is, such as `payroll`: lower case and underscores. Totals are per kind. */
  kind: string;
  /** What people call it (`PAY-…`): printable ASCII without spaces, unique in the whole ledger. */
  reference: string;
  /** In words, for people. May name a person, so it stays out of hashes, as metadata does. */
  description: string;
  /** Who did it; null for the system. */
  actorId: string | null;
  /** The request, line or other thing it is about. */
  subjectId: string | null;
  metadata?: Readonly<Record<string, string | number | boolean | null>>;
  entries: readonly Entry[];
  /** A hold, on an account among the entries, that ends with this transaction. */
  holdId?: string;
}

/** A transaction that has been posted. */
export interface PostedTransaction {
  id: string;
  reference: string;
  /** When it counts; see `post`. */
  effectiveAt: Date;
  /** When it was written, by the database's clock. */
  recordedAt: Date;
}
