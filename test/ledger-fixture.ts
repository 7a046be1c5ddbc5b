import { sql } from 'kysely';
import type pg from 'pg';
import { withClient } from '#server/db/embedded/roles.ts';
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
  ownerUrl: string;
  /** Its name, to be copied once it is disconnected. */
  name: string;
  /**
   * Changes rows as nobody should, without a trace: with all triggers off, foreign keys among them.
   * Fails when it changes nothing.
   */
  tamper(...statements: readonly string[]): Promise<void>;
  /** Closes the connections, and leaves the database. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

/** @param copied the name of a test database to copy, to which nobody is connected */
export async function openLedgerFixture(copied?: string): Promise<LedgerFixture> {
  const database = await createTestDatabase(copied);
  const app = createPool({ url: database.appUrl });
  const owner = createPool({ url: database.ownerUrl, max: 2 });
  let disconnecting: Promise<unknown> | undefined;
  const disconnect = async () => {
    disconnecting ??= Promise.all([app.end(), owner.end()]);
    await disconnecting;
  };
  return {
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    name: database.name,
    db: createDb(app),
    owner,
    tamper: (...statements) => tamper(database.superuserUrl, statements),
    disconnect,
    close: async () => {
      await disconnect();
      await database.drop();
    },
  };
}

async function tamper(superuserUrl: string, statements: readonly string[]): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const statement of statements) {
      const { rowCount } = await client.query(statement);
      if (rowCount === 0) throw new Error(`Nothing was changed by ${statement}`);
    }
  });
}

/** The account that salaries come from. */
export function fundingAccount(db: Db): Promise<string> {
  return withTx(db, (tx) => ensureSystemAccount(tx, 'payroll_funding', CURRENCY));
}

/** A person's new account, with that much in it. */
export async function openWallet(db: Db, amountMinor = 0n): Promise<string> {
  const funding = await fundingAccount(db);
  return withTx(db, async (tx) => {
    const id = await openAccount(tx, { kind: 'salary', ownerId: newId(), currency: CURRENCY });
    if (amountMinor !== 0n) await post(tx, [transfer(funding, id, amountMinor)]);
    return id;
  });
}

const TABLES = [
  'account',
  'transaction',
  'entry',
  'hold',
  'total',
  'block',
  'unsealed',
  'seal',
  'account_unsealed',
  'account_seal',
];

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
