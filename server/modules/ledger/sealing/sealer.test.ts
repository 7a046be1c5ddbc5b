import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import {
  fundingAccount,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { post, readHead, sealLedger, verifyLedger } from './index.ts';
import { merkleRoot } from './merkle.ts';

const { privateKey } = generateKeyPairSync('ed25519');

let fixture: LedgerFixture;
let funding: string;
let wallet: string;

beforeAll(async () => {
  fixture = await openLedgerFixture();
  funding = await fundingAccount(fixture.db);
  wallet = await openWallet(fixture.db);
});
afterAll(() => fixture.close());

const pay = () => withTx(fixture.db, (tx) => post(tx, [transfer(funding, wallet, 1n)]));
const verify = () => verifyLedger(fixture.db, { publicKey: privateKey });

test('hashes a tree as RFC 6962 does', () => {
  const leaves = ['a', 'b', 'c', 'd', 'e'].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  const [a, b, c, d, e] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const node = (left: Buffer, right: Buffer) =>
    createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
  expect(merkleRoot([a])).toEqual(a);
  expect(merkleRoot([a, b, c])).toEqual(node(node(a, b), c));
  expect(merkleRoot(leaves)).toEqual(node(node(node(a, b), node(c, d)), e));
  expect(() => merkleRoot([])).toThrow(RangeError);
});

describe('sealing', () => {
  test('does nothing when there is nothing', async () => {
    expect(await readHead(fixture.db)).toBeUndefined();
    expect(await sealLedger(fixture.db, privateKey)).toEqual({ blocks: 0, transactions: 0 });
  });

  test('cuts what waits into blocks that follow one another', async () => {
    for (let count = 0; count < 7; count += 1) await pay();
    const sealed = await sealLedger(fixture.db, privateKey, { maxBlockTransactions: 3 });
    expect(sealed).toEqual({ blocks: 3, transactions: 7 });
    const verification = await verify();
    expect(verification).toMatchObject({
      ok: true,
      counts: { blocks: 3n, sealed: 7n, unsealed: 0n },
      head: { height: 3n },
    });
  });

  test('keeps what was exported: an older root stays in the chain, an invented one is missed', async () => {
    const exportedRoot = (await readHead(fixture.db))?.root ?? '';
    await pay();
    await sealLedger(fixture.db, privateKey);
    expect((await verifyLedger(fixture.db, { exportedRoot })).ok).toBe(true);
    const { problems } = await verifyLedger(fixture.db, { exportedRoot: 'ab'.repeat(32) });
    expect(problems).toMatchObject([{ check: 'exported root', id: 'ab'.repeat(32) }]);
  });

  test('catches a transaction that began early and commits after a later one is sealed', async () => {
    const gate = Promise.withResolvers<void>();
    const posted = Promise.withResolvers<void>();
    const bank = await openWallet(fixture.db, 10n);
    const late = withTx(fixture.db, async (tx) => {
      await post(tx, [transfer(bank, wallet, 1n)]);
      posted.resolve();
      await gate.promise;
    });
    await posted.promise;
    await openWallet(fixture.db, 5n);
    expect((await sealLedger(fixture.db, privateKey)).transactions).toBe(2);
    gate.resolve();
    await late;
    expect(await sealLedger(fixture.db, privateKey)).toEqual({ blocks: 1, transactions: 1 });
    expect((await verify()).problems).toEqual([]);
  });

  test('has one sealer at a time, and loses nothing that is posted meanwhile', async () => {
    const wallets = await Promise.all([1, 2, 3, 4].map(() => openWallet(fixture.db)));
    const posting = wallets.flatMap((to) =>
      Array.from({ length: 15 }, () =>
        withTx(fixture.db, (tx) => post(tx, [transfer(funding, to, 1n)])),
      ),
    );
    const sealing = Array.from({ length: 8 }, () =>
      sealLedger(fixture.db, privateKey, { maxBlockTransactions: 5 }),
    );
    await Promise.all([...posting, ...sealing]);
    await sealLedger(fixture.db, privateKey);
    const { problems, counts } = await verify();
    expect(problems).toEqual([]);
    expect(counts.unsealed).toBe(0n);
    expect(counts.sealed).toBe(counts.transactions);
  });

  test('is noticed when done with another key', async () => {
    await pay();
    await sealLedger(fixture.db, generateKeyPairSync('ed25519').privateKey);
    expect((await verifyLedger(fixture.db)).ok).toBe(true);
    expect((await verify()).problems).toMatchObject([
      { check: 'block signature', what: 'is signed by another key than ours' },
    ]);
  });
});
