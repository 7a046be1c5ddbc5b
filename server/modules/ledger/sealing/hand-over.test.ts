import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { fundingAccount, openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import type { MemoryRoots, TestSealerOptions } from '#test/ledger-sealer.ts';
import { post, readSigningHistory, signRestore, verifyLedger } from '../index.ts';
import { publicKeyBytes, signRoot } from './block.ts';
import type { FormerKey } from './trusted-keys.ts';

const [first, second, third, stranger] = Array.from(
  { length: 4 },
  () => generateKeyPairSync('ed25519').privateKey,
) as [KeyObject, KeyObject, KeyObject, KeyObject];
const hexOf = (key: KeyObject) => publicKeyBytes(key).toString('hex');

let fixture: LedgerFixture;
let roots: MemoryRoots;
let wallet: string;
beforeEach(async () => {
  fixture = await openLedgerFixture();
  roots = createMemoryRoots();
  wallet = await openWallet(fixture.db, 500n);
  await sealer(first).run();
});
afterEach(() => fixture.close());

const sealer = (key: KeyObject, options: TestSealerOptions = {}) =>
  createTestSealer(fixture.db, key, { roots, ...options });

async function pay(): Promise<void> {
  const funding = await fundingAccount(fixture.db);
  await withTx(fixture.db, (tx) => post(tx, [transfer(funding, wallet, 1n)]));
}

/** Findings of a verifier that knows only this key. */
async function findings(current: KeyObject, former: readonly FormerKey[] = []): Promise<string[]> {
  const { problems } = await verifyLedger(fixture.db, { keys: { current, former }, roots });
  return problems.map(({ check, id }) => `${check} ${id}`);
}

/** Block 1 is signed by the first key, 2 is the handover, 3 is signed by the second. */
async function handOver(): Promise<void> {
  expect(await sealer(first).handOver(second)).toMatchObject({ height: 2n, version: 3 });
  await pay();
  await sealer(second).run();
}

test('the chain continues under the new key, and either key is enough to verify it', async () => {
  await handOver();
  expect(roots.kept.map(({ height, publicKey }) => [height, publicKey])).toEqual([
    [1n, hexOf(first)],
    [2n, hexOf(first)],
    [3n, hexOf(second)],
  ]);
  expect(await findings(first)).toEqual([]);
  expect(await findings(second)).toEqual([]);
  expect(await findings(stranger)).toEqual(
    ['1', '2', '3'].map((height) => `block-signature ${height}`),
  );
  expect(await readSigningHistory(fixture.db)).toEqual([
    { publicKey: hexOf(first), fromHeight: 1n },
    { publicKey: hexOf(second), fromHeight: 3n },
  ]);
});

test('a part of the chain can be verified, too', async () => {
  await handOver();
  for (const afterHeight of [1n, 2n]) {
    for (const current of [first, second]) {
      const scope = { afterHeight };
      const keys = { current, former: [] };
      const { problems } = await verifyLedger(fixture.db, { keys, roots, scope });
      expect(problems).toEqual([]);
    }
  }
});

test('one known key is enough to verify any number of handovers', async () => {
  await handOver();
  await sealer(second).handOver(third);
  await pay();
  await sealer(third).run();
  for (const key of [first, second, third]) expect(await findings(key)).toEqual([]);
  // Hands back to a key that signed before.
  await sealer(third).handOver(first);
  await pay();
  await sealer(first).run();
  for (const key of [first, second, third]) expect(await findings(key)).toEqual([]);
});

test('happens once, however often it is requested, and is in the audit trail', async () => {
  await sealer(first).handOver(second);
  const again = sealer(first, { furtherKeys: () => [second] });
  expect(await again.handOver(second)).toBeNull();
  const events = await fixture.db
    .selectFrom('auditEvent')
    .select(['actorRole', 'details'])
    .where('action', '=', 'ledger.signing_key_replaced')
    .execute();
  const details = { block: '2', from: hexOf(first), to: hexOf(second) };
  expect(events).toEqual([{ actorRole: 'system', details }]);
});

test('a server that has only the former key signs nothing more, and reports why', async () => {
  const running = sealer(first);
  await running.run();
  await sealer(first).handOver(second);
  await pay();
  expect(await running.run()).toMatchObject({ blocks: 0 });
  expect(running.state().refusal).toMatchObject({
    code: 'key_replaced',
    sentence: expect.stringContaining(hexOf(second)),
  });
});

test('a server that has both keys continues by itself', async () => {
  const running = sealer(first, { furtherKeys: () => [second] });
  await running.run();
  await sealer(first).handOver(second);
  await pay();
  expect(await running.run()).toMatchObject({ blocks: 1 });
  expect(roots.kept.at(-1)).toMatchObject({ publicKey: hexOf(second) });
});

test('two concurrent handovers create one block', async () => {
  const made = await Promise.all([
    sealer(first, { furtherKeys: () => [second] }).handOver(second),
    sealer(first, { furtherKeys: () => [second] }).handOver(second),
  ]);
  expect(made.filter((block) => block !== null)).toHaveLength(1);
  expect(await readSigningHistory(fixture.db)).toHaveLength(2);
});

test('is refused when the chain differs from what was exported', async () => {
  await fixture.tamper(
    'INSERT INTO ledger_unsealed (transaction_id) SELECT transaction_id FROM ledger_seal',
    'INSERT INTO ledger_account_unsealed (account_id) SELECT account_id FROM ledger_account_seal',
    'DELETE FROM ledger_seal',
    'DELETE FROM ledger_account_seal',
    'DELETE FROM ledger_block',
  );
  const asked = sealer(first).handOver(second);
  await expect(asked).rejects.toMatchObject({ code: 'handover_refused' });
});

test('refuses a handover block signed by an unknown key', async () => {
  const asked = sealer(stranger).handOver(second);
  await expect(asked).rejects.toMatchObject({ code: 'handover_refused' });
});

test('detects a handover that the new key did not sign, and no server signs after it', async () => {
  await sealer(first).handOver(second);
  await fixture.tamper(`UPDATE ledger_block SET successor_signature = signature WHERE version = 3`);
  expect(await findings(first)).toEqual(['block-handover 2']);
  expect(await findings(second)).toEqual([
    'block-signature 1',
    'block-signature 2',
    'block-handover 2',
  ]);
  await pay();
  for (const key of [first, second]) {
    const fresh = sealer(key);
    expect(await fresh.run()).toMatchObject({ blocks: 0 });
    expect(fresh.state().refusal).toMatchObject({ code: 'head_not_signed' });
  }
});

test('detects a handover that the old key did not sign, and no server signs after it', async () => {
  await sealer(first).handOver(second);
  await fixture.tamper(`UPDATE ledger_block SET signature = successor_signature WHERE version = 3`);
  expect(await findings(first)).toEqual(['block-signature 2', 'block-handover 2']);
  // A verifier that knows only the second key now has no proof for the first.
  expect(await findings(second)).toEqual([
    `exported-root ${roots.kept[1]?.root}`,
    'block-signature 1',
    'block-signature 2',
    'block-handover 2',
  ]);
  await pay();
  const fresh = sealer(second);
  expect(await fresh.run()).toMatchObject({ blocks: 0 });
  expect(fresh.state().refusal).toMatchObject({ code: 'head_not_signed' });
});

test('detects a handover whose successor was replaced', async () => {
  await handOver();
  await fixture.tamper(
    `UPDATE ledger_block SET successor_key = decode('${hexOf(stranger)}', 'hex') WHERE version = 3`,
  );
  expect(await findings(first)).toEqual(['block-root 2', 'block-handover 2', 'block-signature 3']);
});

test('a key that was replaced cannot sign later blocks, whoever has it', async () => {
  await handOver();
  const { rows } = await sql<{ root: Buffer }>`
    SELECT root FROM ledger_block WHERE height = 3`.execute(fixture.db);
  const signature = signRoot(rows[0]?.root ?? Buffer.of(), first);
  await fixture.tamper(
    `UPDATE ledger_block SET public_key = decode('${hexOf(first)}', 'hex'),
            signature = decode('${signature.toString('hex')}', 'hex') WHERE height = 3`,
  );
  for (const key of [first, second]) {
    expect(await findings(key)).toEqual(['block-signature 3']);
    await pay();
    const fresh = sealer(key, { furtherKeys: () => [first, second] });
    expect(await fresh.run()).toMatchObject({ blocks: 0 });
    expect(fresh.state().refusal).toMatchObject({ code: 'unknown_key' });
  }
});

test('a lost key ends at the block that the settings name, also after a handover to it', async () => {
  await handOver();
  const lost = [{ publicKey: hexOf(second), lastHeight: 3n }];
  await pay();
  await sealer(third, { formerKeys: lost }).run();
  expect(await findings(third, lost)).toEqual([]);
  const all = [...lost, { publicKey: hexOf(first), lastHeight: 2n }];
  expect(await findings(third, all)).toEqual([]);
  expect(await findings(third)).not.toEqual([]);
});

test("the server's key decides about a restored backup that ends before the handover", async () => {
  await handOver();
  await fixture.tamper(
    'INSERT INTO ledger_unsealed (transaction_id) SELECT transaction_id FROM ledger_seal WHERE height = 3',
    'DELETE FROM ledger_seal WHERE height = 3',
    'DELETE FROM audit_seal WHERE height = 3',
    'DELETE FROM ledger_block WHERE height = 3',
  );
  const [, handover] = roots.kept;
  const decision = {
    height: 2n,
    root: handover?.root ?? '',
    lostHeight: 3n,
    acceptedAt: new Date(),
    reason: 'The disk broke',
  };
  await roots.append(signRestore(decision, second));
  const running = sealer(second);
  await running.run();
  expect(running.state().refusal).toBeNull();
});
