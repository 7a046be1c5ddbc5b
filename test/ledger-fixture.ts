import { sql } from 'kysely';
import type pg from 'pg';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { ensureSystemAccount, openAccount, post } from '#server/modules/ledger/index.ts';
import { createTestDatabase } from '#test/database.ts';
import { transfer } from '#test/ledger-postings.ts';

export const CURRENCY = 'USD';

/** A migrated database of its own, seen as the server sees it and as its owner does. */
export interface LedgerFixture {
  appUrl: string;
  /** As `purser_app`. */
  db: Db;
  /** As `purser_owner`. */
  owner: pg.Pool;
  close(): Promise<void>;
}

export async function openLedgerFixture(): Promise<LedgerFixture> {
  const database = await createTestDatabase();
  const app = createPool({ url: database.appUrl });
  const owner = createPool({ url: database.ownerUrl, max: 2 });
  return {
    appUrl: database.appUrl,
    db: createDb(app),
    owner,
    close: async () => {
      await app.end();
      await owner.end();
      await database.drop();
    },
  };
}

/** The account that salaries come from. */
export function fundingAccount(db: Db): Promise<string> {
  return withTx(db, (tx) => ensureSystemAccount(tx, 'payroll_funding', CURRENCY));
}

/** Somebody's new account, with that much in it. */
export async function openWallet(db: Db, amountMinor = 0n): Promise<string> {
  const funding = await fundingAccount(db);
  return withTx(db, async (tx) => {
    const id = await openAccount(tx, { kind: 'salary', ownerId: newId(), currency: CURRENCY });
    if (amountMinor !== 0n) await post(tx, [transfer(funding, id, amountMinor)]);
    return id;
  });
}

const TABLES = ['account', 'transaction', 'entry', 'hold', 'total', 'unsealed', 'seal', 'block'];

/** Every row of the ledger as text, in order: equal dumps are equal ledgers. */
export async function dumpLedger(db: Db): Promise<string> {
  const rows = TABLES.map(
    (name) => sql`SELECT ${name}::text || t::text AS row FROM ${sql.table(`ledger_${name}`)} AS t`,
  );
  const dump = await sql<{ row: string }>`${sql.join(rows, sql` UNION ALL `)}`.execute(db);
  return dump.rows
    .map(({ row }) => row)
    .toSorted()
    .join('\n');
}
