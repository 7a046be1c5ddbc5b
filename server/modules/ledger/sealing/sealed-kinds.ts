import type { RawBuilder } from 'kysely';
import { accountLeaf, auditLeaf, formerTransactionLeaf, transactionLeaf } from './leaf.ts';

/** A kind of row that is sealed, and the tables of its sealing. */
export interface SealedKind {
  /** As the names of checks begin. */
  name: 'transaction' | 'account' | 'audit';
  /** The rows; their key is `id`. */
  rows: string;
  /** Which of them wait to be sealed, and which are sealed, by `key`. */
  queue: string;
  seals: string;
  key: string;
  /** The expression of a row's leaf, where `one` is the row and `salt` its salt. */
  leaf: RawBuilder<Buffer>;
  /** The same in the format before, which what was sealed earlier has. */
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
