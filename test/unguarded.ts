import { sql } from 'kysely';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';

/** Thrown to roll back, with what was found out before. */
class Done<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('rolled back on purpose');
    this.result = result;
  }
}

export interface OwnerDb {
  /** As `purser_owner`. */
  db: Db;
  close(): Promise<void>;
}

export function openOwner(ownerUrl: string): OwnerDb {
  const pool = createPool({ url: ownerUrl, max: 2 });
  return { db: createDb(pool), close: () => pool.end() };
}

/** Runs `work` in a transaction and undoes it; answers what it found out. */
export async function undone<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await withTx(db, async (tx) => {
      throw new Done(await work(tx));
    });
  } catch (error) {
    if (error instanceof Done) return error.result as T;
    throw error;
  }
}

/**
 * Takes away what would refuse a change, as only an owner can: our triggers, checks, foreign
 * keys and unique constraints, on all tables.
 */
export async function liftGuards(tx: Tx): Promise<void> {
  await sql`DO $$ DECLARE rule record; BEGIN
    FOR rule IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint
                 WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'c', 'u')
                   AND conrelid <> 0 ORDER BY contype <> 'f' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.relation, rule.conname);
    END LOOP;
    FOR rule IN SELECT oid::regclass AS relation FROM pg_class
                 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', rule.relation);
    END LOOP;
  END $$`.execute(tx);
}
