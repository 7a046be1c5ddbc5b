import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
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

const SALT = Buffer.alloc(16, 0x5a);
const { privateKey } = generateKeyPairSync('ed25519');

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.appUrl });
  db = createDb(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/**
 * Appends a block of version 1, which seals the waiting transactions alone. The database's function
 * appends none of them, so the rows are written past the triggers.
 */
async function sealVersion1(): Promise<void> {
  const { rows } = await sql<{ id: string; leaf: Buffer }>`
    SELECT one.id, ${formerTransactionLeaf} AS leaf
      FROM (SELECT transaction_id, ${SALT}::bytea AS salt FROM ledger_unsealed) AS waiting
      JOIN ledger_transaction AS one ON one.id = waiting.transaction_id`.execute(db);
  const [{ id, leaf } = { id: '', leaf: GENESIS }] = rows;
  const transactions = { root: merkleRoot([leaf]), count: 1 };
  const none = { root: merkleRoot([]), count: 0 };
  const header = {
    version: 1,
    height: 1n,
    previous: GENESIS,
    transactions,
    accounts: none,
    auditEvents: none,
    sealedAt: new Date(),
    successorKey: null,
  };
  const root = blockRoot(header);
  await withClient(database.superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query('DELETE FROM ledger_unsealed');
    await client.query(
      `INSERT INTO ledger_block (height, previous, transaction_root, transaction_count, sealed_at, root,
                                 public_key, signature, version, account_root, account_count, audit_root,
                                 audit_count)
       VALUES (1, $1, $2, 1, $3, $4, $5, $6, 1, $7, 0, $7, 0)`,
      [
        GENESIS,
        transactions.root,
        header.sealedAt,
        root,
        publicKeyBytes(privateKey),
        signRoot(root, privateKey),
        none.root,
      ],
    );
    await client.query('INSERT INTO ledger_seal VALUES ($1, 1, 0, $2, $3)', [id, SALT, leaf]);
  });
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
