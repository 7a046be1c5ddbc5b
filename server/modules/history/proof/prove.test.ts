import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProvenMovement } from '#contract/api.ts';
import { PROOF_ENTRIES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import { beginAt, compareKept, follow, readKeptRoots } from '#contract/verify-chain.ts';
import { PROOF_CHECKS, verifyProof } from '#contract/verify-proof.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { payPerson } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { historyScope } from '../scope.ts';
import { getHistoryTotals } from '../totals.ts';
import { getLedgerRoots, getSealedBlocks, proveBalance, proveEvent, proveTotal } from './prove.ts';

const services = createTestServices();
const { privateKey } = generateKeyPairSync('ed25519');
const ALL_RIGHT = Object.fromEntries(PROOF_CHECKS.map((check) => [check, 'right']));
const USD = (minor: bigint) => money(minor, 'USD');

let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;
let sam: Payee;
let sealer: Sealer;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  sealer = createTestSealer(db, privateKey);
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  maya = await createPayee(db, services, { admin, firstName: 'Maya', lastName: 'Castellanos' });
  sam = await createPayee(db, services, { admin, firstName: 'Sam', lastName: 'Okafor' });
  await sealer.run();
  await pay(maya, sam, 2_500n);
  await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
  await sealer.run();
});
afterAll(() => test.close());

const pay = (payer: Payee, payee: Payee, minor: bigint) =>
  withTx(db, (tx) =>
    payPerson(tx, services, payer.by, {
      recipientId: payee.by.actor.id,
      walletId: payer.wallet.id,
      amount: USD(minor),
      note: '',
      savePayee: false,
    }),
  );

async function scopeOf({ by }: Payee) {
  return historyScope(db, by.actor.id, await readSettings(db));
}

async function balanceOf(who: Payee, number = '') {
  return proveBalance(db, await scopeOf(who), { account: 'salary', number });
}

async function results({ id, entries, proof }: ProvenMovement) {
  return verifyProof({ id, entries, proof: invariant(proof, 'it is not sealed') });
}

describe('one movement', () => {
  it('has both sides, which sum to zero, and a valid proof', async () => {
    const { entries } = await balanceOf(maya);
    for (const { event } of entries) {
      const { movement } = await proveEvent(db, await scopeOf(maya), event.id);
      const sum = movement.entries.reduce((total, { amount }) => total + BigInt(amount.minor), 0n);
      expect(sum).toBe(0n);
      expect(await results(movement)).toEqual(ALL_RIGHT);
    }
  });

  it('shows only the amount of the other side, to either person', async () => {
    const payment = (await balanceOf(maya)).entries.find(({ event }) => event.type === 'transfer');
    const sides = invariant(payment, 'Maya paid Sam').movement.entries;
    expect(sides).toMatchObject([
      { isOwn: true, amount: USD(-2_500n), number: '2', balanceAfter: USD(478_736n) },
      {
        isOwn: false,
        account: 'Sam Okafor',
        amount: USD(2_500n),
        number: null,
        balanceAfter: null,
        salt: null,
      },
    ]);
    const received = (await balanceOf(sam)).entries.at(-1);
    expect(received?.movement.entries).toMatchObject([
      { isOwn: false, account: 'Maya Castellanos', number: null, balanceAfter: null, salt: null },
      { isOwn: true, number: '2' },
    ]);
    const payroll = (await balanceOf(sam)).entries[0];
    expect(payroll?.movement.entries[0]).toMatchObject({
      account: 'Payroll funding',
      number: null,
      balanceAfter: null,
      salt: null,
    });
    expect(JSON.stringify(payment)).not.toContain('483736');
  });

  it('in the former format is valid up to its leaf, which needs the other side to compute', async () => {
    const { movement } = invariant((await balanceOf(maya)).entries[0], 'the first entry');
    const proof = { ...invariant(movement.proof, 'it is sealed'), format: 1 as const };
    const entries = movement.entries.map((entry) => ({ ...entry, salt: null, commitment: null }));
    expect(await results({ ...movement, entries, proof })).toEqual({
      ...ALL_RIGHT,
      leaf: 'unknown',
    });
    // A reader who sees both sides, such as an admin, sees that this is no leaf of that format.
    const shown = entries.map((entry) => ({
      ...entry,
      number: entry.number ?? '1',
      balanceAfter: entry.balanceAfter ?? USD(0n),
    }));
    expect(await results({ ...movement, entries: shown, proof })).toMatchObject({ leaf: 'wrong' });
  });

  it('is not found by another person, nor before it is posted', async () => {
    const [first] = (await balanceOf(maya)).entries;
    const asked = proveEvent(db, await scopeOf(sam), first?.event.id ?? '');
    await expect(asked).rejects.toMatchObject({ code: 'transaction_not_found' });
    const { id } = await withdrawalIn(db, services, { payee: sam, admin, status: 'pending' });
    await expect(proveEvent(db, await scopeOf(sam), `${id}.salary`)).rejects.toMatchObject({
      code: 'transaction_not_found',
    });
  });
});

describe('a balance', () => {
  it('is the balance before and its entries, numbered without a gap', async () => {
    const { before, entries, balance, number } = await balanceOf(maya);
    const sum = entries.reduce(
      (total, { event }) => total + BigInt(event.amount.minor),
      BigInt(before.balance.minor),
    );
    expect(money(sum, 'USD')).toEqual(balance);
    const own = entries.map(({ movement }) => movement.entries.find(({ isOwn }) => isOwn)?.number);
    expect(own).toEqual(['1', '2', '3']);
    expect(number).toBe('3');
  });

  it('is proven from the balance before it, long ago', async () => {
    const payer = await createPayee(db, services, { admin });
    for (let paid = 0; paid < PROOF_ENTRIES + 2; paid += 1) await pay(payer, sam, 100n);
    const newest = await balanceOf(payer);
    expect(newest.entries).toHaveLength(PROOF_ENTRIES);
    expect(newest.before).toEqual({ number: '3', balance: USD(481_036n) });
    const earlier = await balanceOf(payer, newest.before.number);
    expect(earlier).toMatchObject({
      number: '3',
      balance: newest.before.balance,
      before: { number: '0', balance: USD(0n) },
    });
    await expect(balanceOf(payer, '999')).rejects.toMatchObject({ code: 'transaction_not_found' });
    const none = proveBalance(db, await scopeOf(payer), { account: 'irs', number: '' });
    await expect(none).rejects.toMatchObject({ code: 'wallet_not_found' });
    expect(newest.entries.at(-1)?.movement.proof).toBeNull();
  });

  it('in total is the sum of the accounts, and the held part is not available', async () => {
    const who = await createPayee(db, services, { admin });
    await withdrawalIn(db, services, { payee: who, admin, status: 'pending' });
    const { total, available, accounts } = await proveTotal(db, await scopeOf(who));
    expect([total, available]).toEqual([USD(481_236n), USD(441_236n)]);
    expect(accounts).toMatchObject([
      {
        type: 'salary',
        balance: USD(481_236n),
        held: [{ description: expect.stringMatching(/^Withdrawal to /), amount: USD(-40_000n) }],
      },
    ]);
  });
});

describe('received and withdrawn amounts', () => {
  it('are per account, closed ones too, and add up to its balance', async () => {
    const who = await createPayee(db, services, { admin });
    const savings = await fundedWallet(db, services, who.by, 0n, 'savings');
    await withdrawalIn(db, services, { payee: who, admin, status: 'completed' });
    await withdrawalIn(db, services, { payee: who, admin, status: 'returned', amountMinor: 700n });
    await db
      .updateTable('wallet')
      .set({ closedAt: services.clock.now() })
      .where('id', '=', savings.id)
      .execute();
    const scope = await scopeOf(who);
    const { flows, completed } = await proveTotal(db, scope);
    expect(completed, 'payroll is no deposit, and what came back was not completed').toEqual({
      deposits: USD(0n),
      withdrawals: USD(40_000n),
    });
    expect(flows).toMatchObject([
      {
        type: 'salary',
        received: USD(481_236n),
        withdrawn: USD(40_000n),
        balance: (await balanceOf(who)).balance,
        isClosed: false,
      },
      { type: 'savings', received: USD(0n), withdrawn: USD(0n), balance: USD(0n), isClosed: true },
    ]);
    const totals = await getHistoryTotals(db, scope);
    const sum = (key: 'received' | 'withdrawn') =>
      USD(flows.reduce((total, flow) => total + BigInt(flow[key].minor), 0n));
    expect(totals).toMatchObject({ received: sum('received'), withdrawn: sum('withdrawn') });
  });
});

describe('the chain', () => {
  it('leads from the block of an entry to the newest, and contains the roots kept elsewhere', async () => {
    await sealer.run();
    const { movement } = invariant((await balanceOf(maya)).entries[0], 'the first entry');
    const { block } = invariant(movement.proof, 'it is sealed');
    const { blocks, head } = await getSealedBlocks(db, block.height);
    const followed = await follow(beginAt(block), blocks);
    if ('brokenAt' in followed) throw new Error(`broken at ${followed.brokenAt}`);
    expect(followed.last.height).toBe(head?.height);

    const { roots } = await getLedgerRoots(db);
    expect(roots.at(-1)?.height.toString()).toBe(head?.height);
    const kept = readKeptRoots(roots.map((root) => JSON.stringify(root)).join('\n'));
    const height = BigInt(head?.height ?? 0);
    expect(compareKept(invariant(kept, 'they can be read'), followed)).toEqual({
      result: 'right',
      height,
    });
    const other = [{ height, root: '11'.repeat(32) }];
    expect(compareKept(other, followed)).toEqual({ result: 'wrong', height });
    const later = [{ height: height + 5n, root: '11'.repeat(32) }];
    expect(compareKept(later, followed)).toEqual({ result: 'beyond', height: height + 5n });

    const [second, ...others] = blocks;
    expect(await follow(beginAt(block), others)).toEqual({ brokenAt: BigInt(block.height) + 1n });
    const changed = {
      ...invariant(second, 'a block follows'),
      sealedAt: '2020-01-01T00:00:00.000Z',
    };
    expect(await follow(beginAt(block), [changed])).toHaveProperty('brokenAt');
    const foreign = { ...invariant(second, 'a block follows'), publicKey: '11'.repeat(32) };
    expect(await follow(beginAt(block), [foreign])).toHaveProperty('brokenAt');
  });

  it('reads the roots printed on a statement as kept roots, and refuses other text', () => {
    const root = '9f'.repeat(32);
    expect(readKeptRoots(`\r\nRoot of block 1874: ${root}\n`)).toEqual([{ height: 1_874n, root }]);
    for (const text of [
      '',
      'hello',
      '{"height":1.5,"root":"x"}',
      `{"height":-1,"root":"${root}"}`,
    ]) {
      expect(readKeptRoots(text)).toBeUndefined();
    }
  });
});

it('shows a changed amount, with every sum that depends on it, to the person and to verify', async () => {
  await sealer.run();
  expect((await verifyLedger(db, { keys: { current: privateKey, former: [] } })).problems).toEqual(
    [],
  );
  const { entries } = await balanceOf(maya);
  const changed = invariant(entries[1], 'the second entry').movement;
  const account = changed.entries.find(({ isOwn }) => isOwn)?.accountId;
  await withClient(test.superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(
      `UPDATE ledger_entry SET amount = amount + sign(amount) * 100 WHERE transaction_id = $1`,
      [changed.id],
    );
    await client.query(
      `UPDATE ledger_entry SET balance_after = balance_after - 100
        WHERE account_id = $1 AND account_version >= 2`,
      [account],
    );
  });
  const after = await balanceOf(maya);
  const wrong = await Promise.all(after.entries.map(({ movement }) => results(movement)));
  expect(wrong.map(({ leaf }) => leaf)).toEqual(['right', 'wrong', 'wrong']);
});
