import type { RawBuilder } from 'kysely';
import { accountLeaf, auditLeaf, formerTransactionLeaf, transactionLeaf } from './leaf.ts';

/** A kind of row that is sealed, and the tables of its sealing. */
export interface SealedKind {
  /** Prefix of the check names. */
  name: 'transaction' | 'account' | 'audit';
  /** Table of the rows; its key is `id`. */
  rows: string;
  /** Tables of the rows that wait and of those that are sealed, both keyed by `key`. */
  queue: string;
  seals: string;
  key: string;
  /** SQL expression of a row's leaf, where `one` is the row and `salt` its salt. */
  leaf: RawBuilder<Buffer>;
  /** The same in the former format, for rows that were sealed earlier. */
  formerLeaf: RawBuilder<Buffer> | null;
}

export const TRANSACTIONS: SealedKind = {
  name: 'transaction',
  rows: 'ledger_transaction',
  queue: 'ledger_unsealed',
  seals: 'ledger_seal',
  key: 'transaction_id',
  leaf: transactionLeaf,
  formerLeaf: formerTransactionLeaf,
};

export const ACCOUNTS: SealedKind = {
  name: 'account',
  rows: 'ledger_account',
  queue: 'ledger_account_unsealed',
  seals: 'ledger_account_seal',
  key: 'account_id',
  leaf: accountLeaf,
  formerLeaf: null,
};

export const AUDIT_EVENTS: SealedKind = {
  name: 'audit',
  rows: 'audit_event',
  queue: 'audit_unsealed',
  seals: 'audit_seal',
  key: 'audit_event_id',
  leaf: auditLeaf,
  formerLeaf: null,
};

export const SEALED_KINDS: readonly SealedKind[] = [TRANSACTIONS, ACCOUNTS, AUDIT_EVENTS];
