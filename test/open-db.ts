import type pg from 'pg';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { createTestDatabase } from './database.ts';

export interface TestDb {
  /** With the rights of the server itself. */
  db: Db;
  pool: pg.Pool;
  /** For tests that connect by themselves. */
  appUrl: string;
  ownerUrl: string;
  /** For what is done to the books from outside. */
  superuserUrl: string;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/** A migrated, empty database of its own with a pool on it; for beforeAll and afterAll. */
export async function openTestDb(): Promise<TestDb> {
  const database = await createTestDatabase();
  // Nobody waits in front of a test: it may have a busy machine's time for a connection.
  const pool = createPool({ url: database.appUrl, connectTimeoutMs: 60_000 });
  // Bank accounts of tests are new, and payrolls are sent immediately: tests about these waits set them.
  await pool.query(
    'UPDATE company_settings SET payout_cooling_hours = 0, payroll_cancel_seconds = 0',
  );
  return {
    db: createDb(pool),
    pool,
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    superuserUrl: database.superuserUrl,
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
