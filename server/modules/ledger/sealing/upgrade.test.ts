import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { ensureSystemAccount, openAccount, post, verifyLedger } from '../index.ts';
import { blockRoot, GENESIS, publicKeyBytes, signRoot } from './block.ts';
import { formerTransactionLeaf } from './leaf.ts';
import { merkleRoot } from './merkle.ts';

/** The last migration before blocks of version 2. */
const BEFORE = '0014';
const { privateKey } = generateKeyPairSync('ed25519');
const silent = { log: () => undefined };
const dir = mkdtempSync(join(tmpdir(), 'purser-old-migrations-'));

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let db: Db;

beforeAll(async () => {
  for (const { name } of readMigrations(MIGRATIONS_DIR)) {
    if (name <= `${BEFORE}~`) cpSync(join(MIGRATIONS_DIR, name), join(dir, name));
  }
  database = await createTestDatabase();
  await withClient(database.ownerUrl, async (client) => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });
  await migrate(database.ownerUrl, { ...silent, dir });
  pool = createPool({ url: database.appUrl });
  db = createDb(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  rmSync(dir, { recursive: true });
});

/** Seals as the sealer of version 1 did, by the database function of that time. */
async function sealVersion1(): Promise<void> {
  const { rows } = await sql<{ id: string; salt: Buffer; leaf: Buffer }>`
    SELECT one.id, waiting.salt, ${formerTransactionLeaf} AS leaf
      FROM (SELECT transaction_id, decode(repeat('5a', 16), 'hex') AS salt FROM ledger_unsealed)
             AS waiting
      JOIN ledger_transaction AS one ON one.id = waiting.transaction_id`.execute(db);
  const transactions = { root: merkleRoot(rows.map(({ leaf }) => leaf)), count: rows.length };
  const none = { root: GENESIS, count: 0 };
  const header = {
    ...{ version: 1, height: 1n, previous: GENESIS, transactions },
    ...{ accounts: none, auditEvents: none, sealedAt: new Date(), successorKey: null },
  };
  const root = blockRoot(header);
  await sql`
    SELECT ledger_block_append(1, ${GENESIS}, ${transactions.root}, ${header.sealedAt}, ${root},
             ${publicKeyBytes(privateKey)}, ${signRoot(root, privateKey)},
             ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ salt }) => salt)}::bytea[],
             ${rows.map(({ leaf }) => leaf)}::bytea[])`.execute(db);
}

test('blocks of version 1 stay verifiable, and version 2 seals all existing rows', async () => {
  const funding = await withTx(db, (tx) => ensureSystemAccount(tx, 'payroll_funding', 'USD'));
  const wallet = await withTx(db, (tx) =>
    openAccount(tx, { kind: 'salary', ownerId: newId(), currency: 'USD' }),
  );
  await withTx(db, (tx) => post(tx, [transfer(funding, wallet, 5n)]));
  await sealVersion1();
  await withTx(db, (tx) => post(tx, [transfer(funding, wallet, 7n)]));
  await sql`INSERT INTO audit_event (actor_role, action, subject_type)
            VALUES ('system', 'old.act', 'test')`.execute(db);

  await migrate(database.ownerUrl, silent);
  const sealed = await createTestSealer(db, privateKey).run();
  expect(sealed).toEqual({ blocks: 1, transactions: 1, accounts: 2, auditEvents: 1 });
  const keys = { current: privateKey, former: [] };
  expect(await verifyLedger(db, { keys })).toMatchObject({
    problems: [],
    counts: { blocks: 2n, sealed: 5n, unsealed: 0n },
  });
});

test('a block of version 1 cannot follow one of version 2', async () => {
  await withClient(database.superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query('ALTER TABLE ledger_block DROP CONSTRAINT ledger_block_version_1');
    await client.query('UPDATE ledger_block SET version = 3 - version');
  });
  const { problems } = await verifyLedger(db);
  expect(problems).toContainEqual(
    expect.objectContaining({
      check: 'block-chain',
      what: expect.stringContaining('older version'),
    }),
  );
});
