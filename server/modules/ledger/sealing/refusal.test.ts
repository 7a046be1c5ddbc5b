import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { fundingAccount, openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import type { MemoryRoots, TestSealerOptions } from '#test/ledger-sealer.ts';
import { createLogLines } from '#test/log-lines.ts';
import { post, readHead, signRestore, verifyLedger } from '../index.ts';
import { publicKeyBytes } from './block.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const { privateKey: otherKey } = generateKeyPairSync('ed25519');
const keys = { current: privateKey, former: [] };

/** Resets all rows to "waiting to be sealed", as if none had ever been sealed. */
const UNSEAL = [
  'INSERT INTO ledger_unsealed (transaction_id) SELECT transaction_id FROM ledger_seal',
  'INSERT INTO ledger_account_unsealed (account_id) SELECT account_id FROM ledger_account_seal',
  'DELETE FROM ledger_seal',
  'DELETE FROM ledger_account_seal',
  'DELETE FROM ledger_block',
];

let fixture: LedgerFixture;
let roots: MemoryRoots;
let wallet: string;

beforeEach(async () => {
  fixture = await openLedgerFixture();
  roots = createMemoryRoots();
  wallet = await openWallet(fixture.db, 500n);
  await sealer().run();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.close();
});

const sealer = (options: TestSealerOptions = {}) =>
  createTestSealer(fixture.db, options.signingKey ?? privateKey, { roots, ...options });

async function pay(amountMinor = 1n): Promise<void> {
  const funding = await fundingAccount(fixture.db);
  await withTx(fixture.db, (tx) => post(tx, [transfer(funding, wallet, amountMinor)]));
}

const height = async () => (await readHead(fixture.db))?.height ?? 0n;

/** Expects that a new sealer, which has seen no block yet, refuses to seal for that reason. */
async function expectRefusal(code: string, options: TestSealerOptions = {}): Promise<void> {
  await pay();
  const before = await readHead(fixture.db);
  const fresh = sealer(options);
  expect(await fresh.run()).toMatchObject({ blocks: 0 });
  expect(fresh.state().refusal).toMatchObject({ code });
  expect(await readHead(fixture.db)).toEqual(before);
}

test('does not sign a history rewritten by an intruder without the key', async () => {
  await fixture.tamper(
    'UPDATE ledger_entry SET amount = amount * 2, balance_after = balance_after * 2',
    'UPDATE ledger_account SET posted = posted * 2',
    'UPDATE ledger_total SET debit = debit * 2, credit = credit * 2',
    ...UNSEAL,
  );
  await expectRefusal('chain_behind_root');
  const { problems } = await verifyLedger(fixture.db, { keys, roots });
  expect(problems).toMatchObject([{ check: 'exported-root', id: roots.kept[0]?.root }]);
});

test('is not confused by a block that another process seals during the check', async () => {
  await pay();
  const newest = async () => {
    await sealer().run();
    return roots.newest();
  };
  const slow = sealer({ roots: { ...roots, newest } });
  await slow.run();
  expect(slow.state().refusal).toBeNull();
  expect(await height()).toBe(2n);
});

test('does not sign a different history of the same length', async () => {
  await fixture.tamper(...UNSEAL);
  await sealer({ roots: createMemoryRoots() }).run();
  expect(await height()).toBe(1n);
  await expectRefusal('chain_differs_from_root');
});

test('remembers the blocks it has seen, even if nothing could be exported', async () => {
  vi.spyOn(roots, 'append').mockRejectedValue(new Error('the disk is full'));
  await pay();
  const running = sealer();
  await running.run();
  await loseBlock2();
  await running.run();
  expect(running.state().refusal).toMatchObject({
    code: 'chain_behind_root',
    sentence: expect.stringContaining('block 2 was seen by this process'),
  });
});

test('refuses a head that was appended without the key', async () => {
  await pay();
  await appendUnsigned();
  await expectRefusal('head_not_signed');
});

/** Appends as an intruder with the server's rights in the database can, by its functions. */
async function appendUnsigned(): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT transaction_id AS id FROM ledger_unsealed LIMIT 1`.execute(fixture.db);
  const at = new Date().toISOString();
  const leaf = sql`sha256('anything')`;
  await sql`
    WITH head AS (SELECT * FROM ledger_block ORDER BY height DESC LIMIT 1)
    SELECT ledger_block_append(head.height + 1, head.root, ${at}::timestamptz,
             ${leaf}, sha256(''), sha256(''),
             sha256(convert_to(concat_ws(E'\n', 'purser-block-2', head.height + 1,
               encode(head.root, 'hex'), encode(${leaf}, 'hex'), 1, encode(sha256(''), 'hex'), 0,
               encode(sha256(''), 'hex'), 0, ${at}::text), 'UTF8')),
             head.public_key, head.signature,
             ARRAY[${rows[0]?.id}]::uuid[], ARRAY[decode(repeat('00', 16), 'hex')], ARRAY[${leaf}],
             '{}', '{}', '{}', '{}', '{}', '{}')
      FROM head`.execute(fixture.db);
}

test('refuses a chain whose blocks do not follow from the exported one', async () => {
  await pay();
  await sealer({ roots: createMemoryRoots() }).run();
  await pay();
  await sealer({ roots: createMemoryRoots() }).run();
  await fixture.tamper(
    "UPDATE ledger_block SET sealed_at = sealed_at - interval '1 ms' WHERE height = 2",
  );
  await expectRefusal('chain_broken');
});

test('refuses an unknown key, and accepts a former one for the blocks it signed', async () => {
  await expectRefusal('unknown_key', { signingKey: otherKey });
  const publicKey = publicKeyBytes(privateKey).toString('hex');
  const late = [{ publicKey, lastHeight: 0n }];
  await expectRefusal('unknown_key', { signingKey: otherKey, formerKeys: late });

  const former = [{ publicKey, lastHeight: 1n }];
  await sealer({ signingKey: otherKey, formerKeys: former }).run();
  expect(await height()).toBe(2n);
  const handedOver = { keys: { current: otherKey, former }, roots };
  expect((await verifyLedger(fixture.db, handedOver)).problems).toEqual([]);
  expect((await verifyLedger(fixture.db, { keys })).problems).toMatchObject([
    { check: 'block-signature', id: '2', what: 'is signed by another key than ours' },
  ]);
});

test('logs the reason in one line, until it seals again', async () => {
  await pay();
  const { log, lines } = createLogLines();
  const fresh = sealer({ log });
  const newest = vi.spyOn(roots, 'newest').mockRejectedValue(new Error('no such bucket'));
  await fresh.run();
  await fresh.run();
  expect(fresh.state().refusal).toMatchObject({ code: 'roots_unreadable' });
  newest.mockRestore();
  await fresh.run();
  expect(fresh.state().refusal).toBeNull();
  expect(await height()).toBe(2n);
  const said = lines.filter(({ level }) => level === 'error');
  expect(said).toMatchObject([{ msg: expect.stringContaining('cannot be read') }]);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'The ledger is sealed again' }));
});

test('continues sealing while the export place is unreachable, and later exports what it missed', async () => {
  const running = sealer();
  await running.run();
  const failed = vi.fn<() => void>();
  const away = new Error('not now');
  const spies = [
    vi.spyOn(roots, 'append').mockRejectedValue(away),
    vi.spyOn(roots, 'newest').mockRejectedValue(away),
  ];
  const counting = sealer({ onExportFailed: failed });
  await pay();
  await running.run();
  expect(running.state()).toMatchObject({ refusal: null, exportFailingSince: expect.any(Date) });
  await counting.run();
  expect(failed).toHaveBeenCalled();
  expect(await height()).toBe(2n);
  for (const spy of spies) spy.mockRestore();
  await running.run();
  expect(running.state().exportFailingSince).toBeNull();
  expect(roots.kept.map((root) => root.height)).toEqual([1n, 2n]);
});

test('exports a block that a killed process had sealed but not exported', async () => {
  await pay();
  await sealer({
    roots: { ...createMemoryRoots(), append: () => Promise.reject(new Error()) },
  }).run();
  expect(roots.kept).toHaveLength(1);
  await sealer().run();
  expect(roots.kept.map((root) => root.height)).toEqual([1n, 2n]);
});

test("continues when this machine's export place has older roots than the chain", async () => {
  const elsewhere = createMemoryRoots();
  for (let count = 0; count < 3; count += 1) {
    await pay();
    await sealer({ roots: elsewhere }).run();
  }
  await sealer().run();
  expect(roots.kept.map((root) => root.height)).toEqual([1n, 4n]);
  expect((await verifyLedger(fixture.db, { keys, roots })).problems).toEqual([]);
});

/** Removes block 2, as restoring an older backup would. */
function loseBlock2(): Promise<void> {
  return fixture.tamper(
    'INSERT INTO ledger_unsealed (transaction_id) SELECT transaction_id FROM ledger_seal WHERE height = 2',
    'DELETE FROM ledger_seal WHERE height = 2',
    'DELETE FROM ledger_block WHERE height = 2',
  );
}

async function restoreOlderBackup(): Promise<void> {
  await pay();
  await sealer().run();
  await loseBlock2();
}

async function accept(key = privateKey): Promise<void> {
  const head = await readHead(fixture.db);
  const decision = {
    height: head?.height ?? 0n,
    root: head?.root ?? '',
    lostHeight: 2n,
    acceptedAt: new Date(),
    reason: 'The disk broke',
  };
  await roots.append(signRestore(decision, key));
}

test('seals a restored backup only after an operator has accepted it', async () => {
  const running = sealer();
  await running.run();
  await restoreOlderBackup();
  await expectRefusal('chain_behind_root');
  await running.run();
  expect(running.state().refusal).toMatchObject({ code: 'chain_behind_root' });

  await accept();
  await running.run();
  expect(running.state().refusal).toBeNull();
  expect(await height()).toBe(2n);
  expect(roots.kept.map((root) => root.height)).toEqual([1n, 2n, 1n, 2n]);
  const verification = await verifyLedger(fixture.db, { keys, roots });
  expect(verification.problems).toEqual([]);
  expect(verification.roots.restores).toMatchObject([{ reason: 'The disk broke' }]);
});

test('rejects a decision that the ledger key did not sign', async () => {
  await restoreOlderBackup();
  await accept(otherKey);
  await expectRefusal('restore_not_signed');
  const { problems } = await verifyLedger(fixture.db, { keys, roots });
  expect(problems.map(({ check }) => check)).toEqual(['exported-root', 'exported-root']);
});
