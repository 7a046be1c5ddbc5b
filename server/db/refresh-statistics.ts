import { sql } from 'kysely';
import type { Db } from './tx.ts';
import { allowStatements, withTx } from './tx.ts';

/** Samples of many tables, each read once; longer than other requests may. */
const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Has PostgreSQL look at the tables that have changed much, as autovacuum would within a minute or two.
 * To be called when a great many rows were written: what is asked next is then planned for them.
 */
export async function refreshStatistics(db: Db): Promise<void> {
  await withTx(db, async (tx) => {
    await allowStatements(tx, STATEMENT_TIMEOUT_MS);
    await sql`SELECT refresh_statistics()`.execute(tx);
  });
}
