import type { Kysely, Transaction } from 'kysely';
import type { DB } from './schema.ts';

declare const openTransaction: unique symbol;
declare const wholeDatabase: unique symbol;

/** The database outside any transaction: may be read, and begins transactions. */
export type Db = Kysely<DB> & { readonly [wholeDatabase]: true };

/**
 * An open transaction. Everything that writes takes one as its first argument, so that nothing can
 * be written outside one by forgetting it.
 */
export type Tx = Transaction<DB> & { readonly [openTransaction]: true };

/** What a query needs that may run inside or outside a transaction. */
export type Reader = Db | Tx;

/** PostgreSQL's codes for "nobody did anything wrong, try the whole transaction again". */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** True for a unique violation, of the named constraint or index when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  if (constraint === undefined) return true;
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}

/**
 * Runs `work` in one READ COMMITTED transaction. Whatever it throws rolls everything back. A
 * deadlock or serialization failure is retried whole, so `work` must do nothing outside the
 * transaction that it cannot do twice.
 */
export async function withTx<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx) => work(tx as Tx));
    } catch (error) {
      const state = sqlState(error);
      if (state === undefined || !RETRYABLE.has(state) || attempt >= MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 + Math.random() * 20));
    }
  }
}
