import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import {
  fundingAccount,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import type { TestSealerOptions } from '#test/ledger-sealer.ts';
import { createLogLines } from '#test/log-lines.ts';
import { post, readHead, unsealedAgeS, verifyLedger } from '../index.ts';
import { merklePath, merkleRoot, merkleTree } from './merkle.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const keys = { current: privateKey, former: [] };
const NOTHING = { blocks: 0, transactions: 0, accounts: 0, auditEvents: 0 };

let fixture: LedgerFixture;
let funding: string;
let wallet: string;

beforeAll(async () => {
  fixture = await openLedgerFixture();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => fixture.close());

const pay = () => withTx(fixture.db, (tx) => post(tx, [transfer(funding, wallet, 1n)]));
const record = (action: string) =>
  withTx(fixture.db, (tx) =>
    recordAudit(tx, { by: { actor: 'system' }, action, subjectType: 'operation', subjectId: null }),
  );
const verify = () => verifyLedger(fixture.db, { keys });
const sealer = (options: TestSealerOptions = {}) =>
  createTestSealer(fixture.db, privateKey, options);

test('hashes a tree as RFC 6962 does', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const leaves = ['a', 'b', 'c', 'd', 'e'].map(hash);
  const [a, b, c, d, e] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const node = (left: Buffer, right: Buffer) =>
    createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
  expect(merkleRoot([a])).toEqual(a);
  expect(merkleRoot([a, b, c])).toEqual(node(node(a, b), c));
  expect(merkleRoot(leaves)).toEqual(node(node(node(a, b), node(c, d)), e));
  expect(merkleRoot([])).toEqual(hash(''));
});

test('a path leads from each leaf to the root, whatever their number', () => {
  for (let count = 1; count <= 17; count += 1) {
    const leaves = Array.from({ length: count }, (_, index) =>
      createHash('sha256').update(String(index)).digest(),
    );
    const tree = merkleTree(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const reached = merklePath(tree, index).reduce(
        (node, { side, hash }) =>
          createHash('sha256')
            .update(Buffer.of(1))
            .update(Buffer.concat(side === 'left' ? [hash, node] : [node, hash]))
            .digest(),
        leaf,
      );
      expect(reached).toEqual(merkleRoot(leaves));
    }
  }
});

describe('sealing', () => {
  test('does nothing when nothing waits', async () => {
    expect(await readHead(fixture.db)).toBeUndefined();
    expect(await sealer().run()).toEqual(NOTHING);
    expect(await unsealedAgeS(fixture.db)).toBe(0);
  });

  test('seals the opening of an account before anything is posted', async () => {
    funding = await fundingAccount(fixture.db);
    wallet = await openWallet(fixture.db);
    expect(await sealer().run()).toEqual({ ...NOTHING, blocks: 1, accounts: 2 });
    expect((await verify()).problems).toEqual([]);
  });

  test('seals all fields of an audit event', async () => {
    await record('something.done');
    expect(await sealer().run()).toEqual({ ...NOTHING, blocks: 1, auditEvents: 1 });
    expect((await verify()).problems).toEqual([]);
  });

  test('splits the waiting rows into consecutive blocks', async () => {
    for (let count = 0; count < 7; count += 1) await pay();
    for (let count = 0; count < 4; count += 1) await record('something.done');
    const sealed = await sealer({ maxBlockLeaves: 3 }).run();
    expect(sealed).toEqual({ blocks: 3, transactions: 7, accounts: 0, auditEvents: 4 });
    expect(await verify()).toMatchObject({
      problems: [],
      counts: { blocks: 5n, sealed: 14n, unsealed: 0n },
      head: { height: 5n },
    });
  });

  test('finds a written-down root in the chain later, and reports an invented one', async () => {
    const root = (await readHead(fixture.db))?.root ?? '';
    await pay();
    await sealer().run();
    expect((await verifyLedger(fixture.db, { keptHashes: [root] })).ok).toBe(true);
    const invented = 'ab'.repeat(32);
    const { problems } = await verifyLedger(fixture.db, { keptHashes: [root, invented] });
    expect(problems).toMatchObject([{ check: 'exported-root', id: invented }]);
  });

  test('seals a transaction that began early and commits after a later one was sealed', async () => {
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
    expect((await sealer().run()).transactions).toBe(2);
    gate.resolve();
    await late;
    expect(await sealer().run()).toMatchObject({ blocks: 1, transactions: 1 });
    expect((await verify()).problems).toEqual([]);
  });

  test('runs one sealer at a time, and seals everything that is posted during a run', async () => {
    const wallets = await Promise.all([1, 2, 3, 4].map(() => openWallet(fixture.db)));
    const payTimes = async (to: string) => {
      for (let count = 0; count < 15; count += 1) {
        await withTx(fixture.db, (tx) => post(tx, [transfer(funding, to, 1n)]));
      }
    };
    const roots = createMemoryRoots();
    const sealTimes = async () => {
      const one = sealer({ maxBlockLeaves: 5, roots });
      for (let count = 0; count < 4; count += 1) await one.run();
    };
    const sealing = Array.from({ length: 8 }, sealTimes);
    await Promise.all([...wallets.map(payTimes), ...sealing]);
    await sealer({ roots }).run();
    const { problems, counts } = await verifyLedger(fixture.db, { keys, roots });
    expect(problems).toEqual([]);
    expect(counts.unsealed).toBe(0n);
    expect(counts.sealed).toBe(counts.transactions + counts.accounts + counts.auditEvents);
  });

  test('seals without the lock when another session holds it and seals nothing', async () => {
    const other = await openLedgerFixture();
    onTestFinished(() => other.close());
    const hold = async ({ owner }: LedgerFixture) => {
      const holder = await owner.connect();
      onTestFinished(() => holder.release(true));
      const { rows } = await holder.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid FROM pg_advisory_lock(7067300001)',
      );
      return rows[0]?.pid;
    };
    // The lock of another company on the same server.
    await hold(other);
    const pid = await hold(fixture);
    await pay();
    const { log, lines } = createLogLines();
    const patient = sealer({ log });
    expect(await patient.run()).toEqual(NOTHING);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    expect(await patient.run()).toMatchObject({ blocks: 1, transactions: 1 });
    expect(lines).toMatchObject([{ level: 'warn', holder: { pid, role: 'purser_owner' } }]);
  });

  test('reports the age of the oldest waiting row', async () => {
    await pay();
    await fixture.tamper("UPDATE ledger_unsealed SET queued_at = queued_at - interval '90 s'");
    expect(await unsealedAgeS(fixture.db)).toBeGreaterThan(90);
    const { problems } = await verifyLedger(fixture.db, { keys, waitsAtMostMs: 60_000 });
    expect(problems).toMatchObject([{ check: 'sealing-age' }]);
    await sealer().run();
    expect(await unsealedAgeS(fixture.db)).toBe(0);
  });
});
