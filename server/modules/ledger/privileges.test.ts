import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { createDb } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import {
  dumpLedger,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { accountBalances, placeHold } from './index.ts';

const TABLES = [
  'ledger_account',
  'ledger_transaction',
  'ledger_entry',
  'ledger_hold',
  'ledger_total',
  'ledger_calendar',
  'ledger_block',
  'ledger_seal',
  'ledger_unsealed',
  'ledger_account_seal',
  'ledger_account_unsealed',
  'audit_seal',
  'audit_unsealed',
];
const INSUFFICIENT_PRIVILEGE = { code: '42501' };

let fixture: LedgerFixture;

beforeAll(async () => {
  fixture = await openLedgerFixture();
  const wallet = await openWallet(fixture.db, 100n);
  await createTestSealer(fixture.db, generateKeyPairSync('ed25519').privateKey).run();
  await withTx(fixture.db, (tx) =>
    placeHold(tx, { accountId: wallet, amountMinor: 10n, reference: 'H-1' }),
  );
  await openWallet(fixture.db, 100n);
});
afterAll(() => fixture.close());

async function firstColumn(table: string): Promise<string> {
  const { rows } = await fixture.owner.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1',
    [table],
  );
  const [column] = rows;
  if (column === undefined) throw new Error(`${table} has no column`);
  return column.name;
}

async function writesOf(table: string): Promise<string[]> {
  const column = await firstColumn(table);
  return [
    `INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`,
    `UPDATE ${table} SET ${column} = ${column}`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table} CASCADE`,
  ];
}

describe.each(TABLES)('%s', (table) => {
  test('the application cannot write it directly', async () => {
    const before = await dumpLedger(fixture.db);
    for (const statement of await writesOf(table)) {
      await expect(sql.raw(statement).execute(fixture.db), statement).rejects.toMatchObject(
        INSUFFICIENT_PRIVILEGE,
      );
    }
    expect(await dumpLedger(fixture.db)).toBe(before);
  });

  test('the owner cannot write it either, unless it disables triggers', async () => {
    const before = await dumpLedger(fixture.db);
    for (const statement of await writesOf(table)) {
      // Every request inserts a row there, so the trigger does not check which function inserts.
      if (statement.startsWith('INSERT INTO audit_unsealed')) continue;
      await expect(fixture.owner.query(statement), statement).rejects.toMatchObject(
        INSUFFICIENT_PRIVILEGE,
      );
    }
    expect(await dumpLedger(fixture.db)).toBe(before);
  });
});

test('a server that runs as the owner, because there is no second role, can post', async () => {
  const asOwner = createDb(fixture.owner);
  const wallet = await openWallet(asOwner, 100n);
  expect((await accountBalances(asOwner, [wallet])).get(wallet)?.availableMinor).toBe(100n);
});

test("what entries, seals and blocks are made of cannot be changed even inside the ledger's functions", async () => {
  const writes = ['DELETE FROM ledger_account', 'UPDATE ledger_account SET id = gen_random_uuid()'];
  for (const table of ['ledger_entry', 'ledger_transaction', 'ledger_seal', 'ledger_block']) {
    const column = await firstColumn(table);
    writes.push(`UPDATE ${table} SET ${column} = ${column}`, `DELETE FROM ${table}`);
  }
  for (const write of writes) {
    const statement = `SET purser.ledger_door = 'open'; ${write}`;
    await expect(fixture.owner.query(statement), write).rejects.toMatchObject(
      INSUFFICIENT_PRIVILEGE,
    );
  }
});

test.each([
  {
    constraint: 'ledger_entry_account_id_fkey',
    row: `INSERT INTO ledger_entry SELECT transaction_id, missing, amount, balance_after, row_number() OVER (), effective_at,
            recorded_at FROM ledger_entry, nobody`,
  },
  {
    constraint: 'ledger_entry_transaction_id_fkey',
    row: `INSERT INTO ledger_entry SELECT missing, account_id, amount, balance_after, account_version + 1000, effective_at,
            recorded_at FROM ledger_entry, nobody`,
  },
  {
    constraint: 'ledger_total_account_id_fkey',
    row: `INSERT INTO ledger_total SELECT missing, month, kind, debit, credit, count FROM ledger_total, nobody LIMIT 1`,
  },
  {
    constraint: 'ledger_unsealed_transaction_id_fkey',
    row: `INSERT INTO ledger_unsealed SELECT missing FROM nobody`,
  },
  {
    constraint: 'ledger_seal_transaction_id_fkey',
    row: `INSERT INTO ledger_seal SELECT missing, (SELECT max(height) FROM ledger_block), 1000,
            uuid_send(missing), sha256('leaf') FROM nobody`,
  },
  {
    constraint: 'ledger_seal_height_fkey',
    row: `INSERT INTO ledger_seal SELECT id, 1000, 0, uuid_send(missing), sha256('leaf')
            FROM ledger_transaction, nobody WHERE id NOT IN (SELECT transaction_id FROM ledger_seal) LIMIT 1`,
  },
])("a row names what is there even inside the ledger's functions: $constraint", async (wrong) => {
  const writing = withClient(fixture.ownerUrl, (client) =>
    client.query(`BEGIN; SELECT ledger_door('open');
      CREATE TEMPORARY TABLE nobody AS SELECT gen_random_uuid() AS missing;
      ${wrong.row}`),
  );
  await expect(writing).rejects.toMatchObject({ code: '23503', constraint: wrong.constraint });
});

test("the application cannot choose an audit event's number or time, nor its place in the queue for sealing", async () => {
  const event = `'system', 'forged', 'test'`;
  for (const [columns, values] of [
    ['at', `now() - interval '1 year'`],
    ['id', '1'],
  ]) {
    const statement = `INSERT INTO audit_event (${columns}, actor_role, action, subject_type)
                       OVERRIDING SYSTEM VALUE VALUES (${values}, ${event})`;
    await expect(sql.raw(statement).execute(fixture.db)).rejects.toMatchObject(
      INSUFFICIENT_PRIVILEGE,
    );
  }
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO audit_event (actor_role, action, subject_type) VALUES ('system', 'done', 'test')
    RETURNING id`.execute(fixture.db);
  const queued = await sql`SELECT audit_event_id AS id FROM audit_unsealed`.execute(fixture.db);
  expect(queued.rows).toEqual(rows);
});

test("refuses a person's account without a limit", async () => {
  const opening = withClient(fixture.ownerUrl, (client) =>
    client.query(`BEGIN; SELECT ledger_door('open');
      INSERT INTO ledger_account (id, kind, owner_id, currency)
      VALUES (gen_random_uuid(), 'salary', gen_random_uuid(), 'USD')`),
  );
  await expect(opening).rejects.toMatchObject({ constraint: 'ledger_account_owned_has_limit' });
});

test('the application may call its own functions, and no inner one', async () => {
  const { rows } = await fixture.owner.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE proname LIKE 'ledger\\_%'
        AND has_function_privilege('purser_app', oid, 'EXECUTE') ORDER BY proname`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'ledger_account_ensure_system',
    'ledger_account_lock',
    'ledger_account_open',
    'ledger_block_append',
    'ledger_block_hand_over',
    'ledger_digest',
    'ledger_hold_place',
    'ledger_hold_release',
    'ledger_post',
    'ledger_set_time_zone',
  ]);
});
