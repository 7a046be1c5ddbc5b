import { sql } from 'kysely';
import type { Db } from './tx.ts';
import { allowStatements, withTx } from './tx.ts';

/** Time for samples of many tables, each read once; longer than other requests may take. */
const STATEMENT_TIMEOUT_MS = 120_000;

/**
 * Makes PostgreSQL analyze the tables that have changed much, as autovacuum would within a minute
 * or two. Called after a great many rows were written, so that the next statements are planned for
 * them.
 */
export async function refreshStatistics(db: Db): Promise<void> {
  await withTx(db, async (tx) => {
    await allowStatements(tx, STATEMENT_TIMEOUT_MS);
    await sql`SELECT refresh_statistics()`.execute(tx);
  });
}
