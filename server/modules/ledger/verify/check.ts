import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { ACCOUNTS, TRANSACTIONS } from '../sealing/sealed-kinds.ts';
import type { SealedKind } from '../sealing/sealed-kinds.ts';

/** A row that a check found wrong. */
export interface Finding {
  /** Of the account, transaction, hold or block. */
  id: string;
  /** What is wrong with it, with both figures. */
  what: string;
}

/** A question whose every answer is something wrong. PostgreSQL streams through the tables. */
export interface Check {
  /** For machines, and for ever: `account-balance`. */
  name: string;
  query: RawBuilder<Finding>;
}

/** What is verified. */
export interface Scope {
  /**
   * Only what was sealed after the block of this height, and what waits to be: the rest was verified
   * before. Null: everything.
   */
  afterHeight: bigint | null;
}

/** Makes checks for what is verified, at a cost in proportion to it. */
export type ChecksFor = (scope: Scope) => readonly Check[];

/** The keys of the rows of a kind that are in scope, as `SELECT id`: sealed in it, or waiting. */
export function idsIn(kind: SealedKind, afterHeight: bigint): RawBuilder<unknown> {
  const [seals, queue, key] = [sql.table(kind.seals), sql.table(kind.queue), sql.ref(kind.key)];
  return sql`SELECT ${key} AS id FROM ${seals} WHERE height > ${afterHeight}
             UNION SELECT ${key} FROM ${queue}`;
}

/** The transactions in scope, to select from. */
export function transactionsIn({ afterHeight }: Scope): RawBuilder<unknown> {
  if (afterHeight === null) return sql`ledger_transaction`;
  return sql`(SELECT one.* FROM (${idsIn(TRANSACTIONS, afterHeight)}) AS new
                JOIN ledger_transaction AS one ON one.id = new.id)`;
}

/** The entries of the transactions in scope, to select from. */
export function entriesIn({ afterHeight }: Scope): RawBuilder<unknown> {
  if (afterHeight === null) return sql`ledger_entry`;
  return sql`(SELECT entry.* FROM (${idsIn(TRANSACTIONS, afterHeight)}) AS new
                JOIN ledger_entry AS entry ON entry.transaction_id = new.id)`;
}

/** The accounts that were opened in scope or that an entry in scope touches, to select from. */
export function accountsIn(scope: Scope): RawBuilder<unknown> {
  if (scope.afterHeight === null) return sql`ledger_account`;
  return sql`(SELECT account.*
                FROM (${idsIn(ACCOUNTS, scope.afterHeight)}
                      UNION SELECT account_id FROM ${entriesIn(scope)} AS entry) AS new
                JOIN ledger_account AS account ON account.id = new.id)`;
}
