import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { createSealer, loadSigningKey, readHead } from '#server/modules/ledger/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { silentLog } from '#server/lib/log.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { verifyCommand } from './verify.ts';
import { appendUnsigned } from '#test/ledger-tampering.ts';
import { openLedgerFixture } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { runSaid } from '#test/run-said.ts';

const COMMAND = join(import.meta.dirname, 'verify.ts');

const dataDir = mkdtempSync(join(tmpdir(), 'purser-verify-'));
const rootsPath = join(dataDir, 'ledger-roots.jsonl');
let fixture: LedgerFixture;
let sealer: Sealer;
/** Pays an employee some dollars by a deposit, which is what the books are compared with. */
let pay: (amountMinor?: bigint) => Promise<void>;
beforeAll(async () => {
  fixture = await openLedgerFixture();
  sealer = createSealer({
    db: fixture.db,
    signingKey: loadSigningKey({ dataDir }),
    formerKeys: [],
    roots: createRootStore({ ledgerRoots: null, dataDir, onFailure: () => undefined }),
    log: silentLog,
  });
  pay = await makePayee(fixture.db);
  await pay(123_456n);
});
afterAll(async () => {
  await fixture.close();
  rmSync(dataDir, { recursive: true });
});

interface Run {
  exitCode: number | null;
  said: string;
}

async function runVerify(environment: Record<string, string>, ...flags: string[]): Promise<Run> {
  const env = { PURSER_DATA: '/nonexistent', ...environment };
  const { code: exitCode, said } = await runSaid(verifyCommand, flags, env);
  return { exitCode, said };
}

/** As an operator runs it: with the owner's rights, where the key is. */
const ownEnvironment = () => ({ DATABASE_URL: fixture.ownerUrl, PURSER_DATA: dataDir });
const verify = (...flags: string[]) => runVerify(ownEnvironment(), ...flags);

/** The same as a process of its own. */
function spawnVerify(...flags: string[]): Promise<Run> {
  const env = { ...childEnvironment(), ...ownEnvironment() };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...flags], { env }, (_error, out, err) =>
      resolve({ exitCode: child.exitCode, said: out + err }),
    );
  });
}

async function makePayee(db: Db): Promise<typeof pay> {
  const services = createTestServices();
  await offerDeposits(db, services);
  const admin = await createAdmin(db, services);
  const { by, id } = await createEmployee(db, services);
  const wallet = await withTx(db, (tx) => openWallet(tx, services, { userId: id, type: 'salary' }));
  return async (amountMinor = 2_500n) => {
    const amount = money(amountMinor, 'USD');
    const input = { walletId: wallet.id, method: 'ach' as const, amount };
    const deposit = await withTx(db, (tx) => requestDeposit(tx, services, by, input));
    await withTx(db, (tx) => depositActs.approve(tx, services, admin.by, { id: deposit.id }));
  };
}

test('says what it counted and that the ledger is sound', async () => {
  const { exitCode, said } = await spawnVerify();
  expect(said).toContain('1, with 2 entries');
  expect(said).toContain('$1,234.56 USD');
  expect(said).toContain('The ledger is sound.');
  expect(exitCode).toBe(0);
});

test('proves nothing without a key, unless any will do', async () => {
  const elsewhere = { DATABASE_URL: fixture.ownerUrl };
  const { exitCode, said } = await runVerify(elsewhere);
  expect(said).toContain('There is no signing key here');
  expect(exitCode).toBe(1);
  expect(await runVerify(elsewhere, '--any-key')).toMatchObject({ exitCode: 0 });
});

test('holds signatures against the key that it is given', async () => {
  await sealer.run();
  const elsewhere = { DATABASE_URL: fixture.ownerUrl };
  const { publicKey } = JSON.parse(readFileSync(rootsPath, 'utf8').split('\n')[0] ?? '') as {
    publicKey: string;
  };
  expect(await runVerify(elsewhere, '--key', publicKey)).toMatchObject({ exitCode: 0 });
  const { exitCode, said } = await runVerify(elsewhere, '--key', 'ab'.repeat(32));
  expect(said).toContain('block-signature: 1 is signed by another key than ours');
  expect(exitCode).toBe(1);
});

test('compares with the roots that are exported, and with those that were kept elsewhere', async () => {
  const copy = join(dataDir, 'copy.jsonl');
  writeFileSync(copy, readFileSync(rootsPath));
  const { exitCode, said } = await verify('--root', copy);
  expect(said).toContain('Roots          2 compared');
  expect(exitCode).toBe(0);

  const head = await readHead(fixture.db);
  expect(await verify(head?.root ?? '')).toMatchObject({ exitCode: 0 });
  writeFileSync(copy, readFileSync(copy, 'utf8').replace(head?.root ?? '', 'ab'.repeat(32)));
  const changed = await verify('--root', copy);
  expect(changed.said).toContain(`exported-root: ${'ab'.repeat(32)} was exported as block 1`);
  expect(changed.exitCode).toBe(1);
});

test('names what is wrong, and exits with 1', async () => {
  const missing = 'ab'.repeat(32);
  const { exitCode, said } = await spawnVerify('--root', missing);
  expect(said).toContain(`exported-root: ${missing} no block has this root`);
  expect(said).toContain('NOT sound');
  expect(exitCode).toBe(1);
});

test('fails when something has waited to be sealed for longer than a restart of the database takes', async () => {
  await pay();
  await fixture.tamper("UPDATE ledger_unsealed SET queued_at = queued_at - interval '61 s'");
  expect((await verify()).exitCode).toBe(0);
  await fixture.tamper("UPDATE ledger_unsealed SET queued_at = queued_at - interval '240 s'");
  const { exitCode, said } = await verify();
  const waitedS = /sealing-age: unsealed something has waited for (\d+) s/.exec(said)?.[1];
  expect(Number(waitedS)).toBeGreaterThanOrEqual(301);
  expect(exitCode).toBe(1);
  await sealer.run();
});

describe('a block that none of our keys signed', () => {
  const setAside = (height: string, reason = 'An intruder called the database on 3 May') =>
    verify('--set-aside', height, '--reason', reason);

  test('is set aside, with both facts kept, and sealing goes on', async () => {
    await sealer.run();
    const end = (await readHead(fixture.db))?.height ?? 0n;
    await pay();
    await appendUnsigned(fixture);
    await sealer.run();
    expect(sealer.state().refusal).toMatchObject({ code: 'head_not_signed' });
    expect((await verify()).said).toContain(`block-signature: ${end + 1n}`);

    const done = await setAside(String(end + 1n));
    expect(done.said).toContain(`Set aside: blocks ${end + 1n} to ${end + 1n}`);
    expect(done.exitCode).toBe(0);
    const { rows } = await fixture.owner.query(
      `SELECT height, reason, jsonb_array_length(seals) > 0 AS has_seals, block ->> 'root' AS root
         FROM ledger_block_set_aside`,
    );
    expect(rows).toMatchObject([{ height: end + 1n, has_seals: true }]);

    expect(await sealer.run()).toMatchObject({ blocks: 1 });
    const { exitCode, said } = await verify();
    expect(said).toMatch(/Set aside {6}\S+: block \d+, which none of our keys signed: An intruder/);
    expect(said).toContain('The ledger is sound.');
    expect(exitCode).toBe(0);
  });

  test('is no other block: one of ours, one that was exported, or one that is not there', async () => {
    const end = (await readHead(fixture.db))?.height ?? 0n;
    expect((await setAside(String(end))).said).toContain(`block ${end} was exported to`);
    expect((await setAside(String(end + 1n))).said).toContain(`There is no block ${end + 1n}.`);
    const roots = readFileSync(rootsPath);
    rmSync(rootsPath);
    expect((await setAside(String(end))).said).toContain('is signed by a key that is trusted');
    mkdirSync(rootsPath);
    const { exitCode, said } = await setAside(String(end));
    expect(said).toContain(`Nothing is set aside, because ${rootsPath} cannot be used (EISDIR)`);
    expect(exitCode).toBe(1);
    rmdirSync(rootsPath);
    expect((await verify('--set-aside', '1')).said).toContain('needs a --reason');
    writeFileSync(rootsPath, roots);
    expect((await verify()).exitCode).toBe(0);
  });
});

describe('a restored backup', () => {
  const accept = (height: string, reason = 'Disk failure on 3 May') =>
    verify('--accept-restored', height, '--reason', reason);

  test('is not accepted where nothing is lost, nor without a reason', async () => {
    expect((await accept('3')).said).toContain('there is nothing to accept');
    expect((await verify('--accept-restored', '3')).said).toContain('needs a --reason');
    expect((await accept('2')).said).toContain('ends with block 3, not with block 2');
  });

  test('is refused, and goes on once the operator has said what is lost and why', async () => {
    await pay();
    await sealer.run();
    await fixture.tamper(
      'INSERT INTO ledger_unsealed (transaction_id) SELECT transaction_id FROM ledger_seal WHERE height = 4',
      'DELETE FROM ledger_seal WHERE height = 4',
      'INSERT INTO audit_unsealed (audit_event_id) SELECT audit_event_id FROM audit_seal WHERE height = 4',
      'DELETE FROM audit_seal WHERE height = 4',
      'DELETE FROM ledger_block WHERE height = 4',
    );
    const refused = await verify();
    expect(refused.said).toContain('was exported as block 4, which is not in the chain');
    expect(refused.exitCode).toBe(1);

    const accepted = await accept('3');
    expect(accepted.said).toContain('the ledger goes on from block 3; blocks up to 4 are given up');
    expect(accepted.exitCode).toBe(0);
    expect(
      JSON.parse(readFileSync(rootsPath, 'utf8').trim().split('\n').at(-1) ?? ''),
    ).toMatchObject({ height: 3, lostHeight: 4, reason: 'Disk failure on 3 May' });

    await sealer.run();
    const { exitCode, said } = await verify();
    expect(said).toMatch(
      /Restored {7}\S+: went on from block 3 without those up to 4: Disk failure/,
    );
    expect(exitCode).toBe(0);
  });

  test('is none when history was rewritten', async () => {
    await fixture.tamper("UPDATE ledger_block SET root = sha256('x') WHERE height = 1");
    const { exitCode, said } = await accept('4');
    expect(said).toContain('this is not an older backup of the same history');
    expect(exitCode).toBe(1);
  });
});

test('says in a sentence why nothing can be checked', async () => {
  expect(await runVerify({})).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('There is no Purser in /nonexistent yet'),
  });
  expect(await runVerify({}, 'nonsense')).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('is neither a root, which is 64 hexadecimal digits'),
  });
  expect((await runVerify({}, '--fast')).said).toMatch(/^Unknown option '--fast'/);
  const refused = 'postgresql://nobody@127.0.0.1:1/none';
  const { exitCode, said } = await runVerify({ DATABASE_URL: refused });
  expect(exitCode).toBe(1);
  expect(said).toMatch(/^.*The database cannot be reached \(ECONNREFUSED\).*$/m);
  expect(said).not.toContain('    at ');
});
