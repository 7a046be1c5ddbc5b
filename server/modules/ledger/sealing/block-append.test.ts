import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';

/** Valid arguments of ledger_block_append, as SQL text, where `head` is the newest block. */
const RIGHT: Readonly<Record<string, string>> = {
  height: 'head.height + 1',
  previous: 'head.root',
  sealedAt: "head.sealed_at + interval '1 s'",
  transactionRoot: "sha256('leaf')",
  countInHeader: '1',
  ids: 'ARRAY(SELECT transaction_id FROM ledger_unsealed)',
  leaves: "ARRAY[sha256('leaf')]",
  root: `sha256(convert_to(concat_ws(E'\\n', 'purser-block-2', HEIGHT, encode(PREVIOUS, 'hex'),
           encode(TRANSACTION_ROOT, 'hex'), COUNT, encode(sha256(''), 'hex'), 0,
           encode(sha256(''), 'hex'), 0,
           to_char((SEALED_AT) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8'))`,
};

let fixture: LedgerFixture;
beforeAll(async () => {
  fixture = await openLedgerFixture();
  await openWallet(fixture.db);
  await createTestSealer(fixture.db, generateKeyPairSync('ed25519').privateKey).run();
  await openWallet(fixture.db, 5n);
});
afterAll(() => fixture.close());

/** Appends as the server's role, in a transaction that is rolled back. */
async function append(wrong: Partial<typeof RIGHT>): Promise<void> {
  const given = { ...RIGHT, ...wrong } as Record<string, string>;
  const root = (given['root'] ?? '')
    .replace('HEIGHT', given['height'] ?? '')
    .replace('PREVIOUS', given['previous'] ?? '')
    .replace('TRANSACTION_ROOT', given['transactionRoot'] ?? '')
    .replace('COUNT', given['countInHeader'] ?? '')
    .replace('SEALED_AT', given['sealedAt'] ?? '');
  const undo = new Error('undone');
  const appending = fixture.db.transaction().execute(async (tx) => {
    await sql
      .raw(
        `SELECT ledger_block_append(${given['height']}, ${given['previous']}, ${given['sealedAt']},
                  ${given['transactionRoot']}, sha256(''), sha256(''), ${root}, head.public_key,
                  head.signature, ${given['ids']},
                  ARRAY[decode(repeat('00', 16), 'hex')], ${given['leaves']},
                  '{}', '{}', '{}', '{}', '{}', '{}')
           FROM (SELECT * FROM ledger_block ORDER BY height DESC LIMIT 1) AS head`,
      )
      .execute(tx);
    throw undo;
  });
  await appending.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}

test('accepts a block that follows from the newest one', async () => {
  await expect(append({})).resolves.toBeUndefined();
});

test.each<[string, Partial<typeof RIGHT>, string, RegExp]>([
  ['another height', { height: 'head.height + 2' }, 'PL011', /is not the next one/],
  ['another previous root', { previous: "sha256('x')" }, 'PL013', /does not name the root/],
  ['a root that is not its own', { root: "sha256('x')" }, 'PL013', /is not that of its header/],
  ['another count', { countInHeader: '2' }, 'PL013', /is not that of its header/],
  [
    'more ids than leaves',
    { ids: 'ARRAY(SELECT transaction_id FROM ledger_unsealed) || gen_random_uuid()' },
    'PL013',
    /other numbers of ids/,
  ],
  ['something that is not waiting', { ids: 'ARRAY[gen_random_uuid()]' }, 'PL011', /unsealed/],
  ['a time at infinity', { sealedAt: "'infinity'::timestamptz" }, 'PL013', /sealed at infinity/],
  ['a time before', { sealedAt: "head.sealed_at - interval '1 ms'" }, 'PL013', /before the block/],
  ['no time', { sealedAt: 'NULL::timestamptz' }, 'PL013', /before the block/],
])('refuses %s', async (_what, wrong, code, message) => {
  await expect(append(wrong)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});
