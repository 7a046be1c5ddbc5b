import { sql } from 'kysely';
import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { ACCOUNTS, TRANSACTIONS } from '../sealing/sealed-kinds.ts';
import type { SealedKind } from '../sealing/sealed-kinds.ts';

/** A row that a check found wrong. */
export interface Finding {
  /** Id of the account, transaction, hold or block. */
  id: string;
  /** The fault, with both figures. */
  what: string;
}

/** A query that returns a row for each fault. PostgreSQL streams through the tables. */
export interface Check {
  /** Stable name for machines, for example `account-balance`. It never changes. */
  name: string;
  query: RawBuilder<Finding>;
}

/** Maximum number of rows that a check reports: as much as a person reads. */
export const FINDINGS_PER_CHECK = 20;

/** Statements of queries that are asked again: to write one takes half as long as its answer in a small ledger. */
const statements = new WeakMap<Check['query'], CompiledQuery<Finding>>();

/**
 * Asks a check, and returns at most FINDINGS_PER_CHECK rows. MATERIALIZED makes the planner plan for reading
 * everything. With a LIMIT it would plan to find the first findings first.
 */
export async function findingsOf(tx: Tx, query: Check['query']): Promise<Finding[]> {
  const statement =
    statements.get(query) ??
    sql<Finding>`
    WITH finding AS MATERIALIZED (${query})
    SELECT id, what FROM finding LIMIT ${FINDINGS_PER_CHECK}`.compile(tx);
  statements.set(query, statement);
  const { rows } = await tx.executeQuery(statement);
  return rows;
}

/** Part of the ledger to verify. */
export interface Scope {
  /**
   * Verify only rows sealed after the block of this height, and rows that wait; earlier rows were
   * verified before. Null: everything.
   */
  afterHeight: bigint | null;
}

/** Builds the checks for a scope. Their cost is in proportion to it. */
export type ChecksFor = (scope: Scope) => readonly Check[];

/** Keys of a kind's rows in scope, as `SELECT id`: sealed in it, or waiting. */
export function idsIn(kind: SealedKind, afterHeight: bigint): RawBuilder<unknown> {
  const [seals, queue, key] = [sql.table(kind.seals), sql.table(kind.queue), sql.ref(kind.key)];
  return sql`SELECT ${key} AS id FROM ${seals} WHERE height > ${afterHeight}
             UNION SELECT ${key} FROM ${queue}`;
}

/** SQL source of the transactions in scope. */
export function transactionsIn({ afterHeight }: Scope): RawBuilder<unknown> {
  if (afterHeight === null) return sql`ledger_transaction`;
  return sql`(SELECT one.* FROM (${idsIn(TRANSACTIONS, afterHeight)}) AS new
                JOIN ledger_transaction AS one ON one.id = new.id)`;
}

/** SQL source of the entries of the transactions in scope. */
export function entriesIn({ afterHeight }: Scope): RawBuilder<unknown> {
  if (afterHeight === null) return sql`ledger_entry`;
  return sql`(SELECT entry.* FROM (${idsIn(TRANSACTIONS, afterHeight)}) AS new
                JOIN ledger_entry AS entry ON entry.transaction_id = new.id)`;
}

/** SQL source of the accounts that were opened in scope or have an entry in scope. */
export function accountsIn(scope: Scope): RawBuilder<unknown> {
  if (scope.afterHeight === null) return sql`ledger_account`;
  return sql`(SELECT account.*
                FROM (${idsIn(ACCOUNTS, scope.afterHeight)}
                      UNION SELECT account_id FROM ${entriesIn(scope)} AS entry) AS new
                JOIN ledger_account AS account ON account.id = new.id)`;
}
