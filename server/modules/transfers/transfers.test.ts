import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import { IS_FAILING, postPayroll, reverseLine } from '#server/modules/payroll/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { closeWallet, listWallets } from '#server/modules/wallets/index.ts';
import { requestWithdrawal, withdrawalActs } from '#server/modules/withdrawals/index.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  withdrawalOf,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { changeTransfers, pauseTransfers, resumeTransfers, skipTransfers } from './change-plan.ts';
import { getTransfers } from './queries.ts';
import { runTransfers } from './run-transfers.ts';
import { listLineTransfers, takeBackTransfer } from './take-back.ts';

const services = createTestServices();
const USD = (minor: bigint) => money(minor, 'USD');
let test: TestDb;
let admin: CommandContext;
let second: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  admin = await createPersonBy(test.db, { role: 'admin' });
  second = await createPersonBy(test.db, {
    role: 'admin',
    firstName: 'Theo',
    lastName: 'Marchetti',
  });
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payout_cooling_hours = 24`.execute(
    test.db,
  );
});
let now = Date.parse('2026-12-08T15:00:00.000Z');
beforeEach(() => pass(1));
afterEach(async () => {
  await expectSoundMoney(test.db);
  await expectNoFindings();
});
async function expectNoFindings(): Promise<void> {
  // The people of this file have no records of their own.
  const checks = businessChecks.filter(({ name }) =>
    /^(withdrawal|move|payroll|transfer|automatic|posting|wallet|amounts)/.test(name),
  );
  expect(await withTx(test.db, (tx) => runChecks(tx, checks))).toEqual([]);
}
afterAll(() => test.close());

const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);
/** Lets hours pass. */
function pass(hours: number): void {
  now += hours * 3_600_000;
  services.clock.set(new Date(now).toISOString());
}

type Rules = Parameters<typeof changeTransfers>[3]['rules'];
type Saver = Payee & { savingsId: string; iraId: string };

/** A person with a salary wallet, two others, and a bank account that has cooled off. */
async function saver(fundedMinor = 0n): Promise<Saver> {
  const who = await createPayee(test.db, services, { admin, fundedMinor });
  const open = async (type: WalletType) =>
    (await fundedWallet(test.db, services, who.by, 0n, type)).id;
  const [savingsId, iraId] = [await open('savings'), await open('retirement')];
  pass(100);
  return { ...who, savingsId, iraId };
}

const wallet = (id: string) => ({ kind: 'wallet', id }) as const;
const bank = ({ bank: { id } }: Saver) => ({ kind: 'bank', id }) as const;
const fixed = (minor: bigint, to: Rules[number]['to']) =>
  ({ kind: 'fixed', amount: USD(minor), to }) as const;
const percent = (percentHundredths: number, to: Rules[number]['to']) =>
  ({ kind: 'percent', percentHundredths, to }) as const;
const above = (minor: bigint, to: Rules[number]['to']) =>
  ({ kind: 'above', amount: USD(minor), to }) as const;

const shown = async (who: Saver) => {
  const { wallets } = await getTransfers(test.db, services, who.by.actor.id);
  return wallets.find(({ walletId }) => walletId === who.wallet.id);
};
const change = (
  who: Saver,
  rules: Rules,
  { walletId = who.wallet.id, version = 0, by = who.by } = {},
) => run((tx) => changeTransfers(tx, services, by, { walletId, version, rules }));

/** Pays a person by a payroll of their own, without what follows. */
async function pay(
  { by }: Saver,
  minor: bigint,
  walletType: WalletType = 'salary',
): Promise<string> {
  const draft = await draftOwnAmounts(test.db, admin.actor, new Map([[by.actor.id, minor]]), {
    ...{ clock: services.clock, walletType, description: `Pay ${now}` },
  });
  const { id } = await sendDraftAsSeen(test.db, admin.actor, draft.id, services);
  await postPayroll(test.db, services, id);
  return lineOf(id);
}
async function lineOf(batchId: string): Promise<string> {
  const { id } = await test.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  return id;
}
const tick = () => runTransfers(test.db, services);
const paid = async (who: Saver, minor: bigint) => {
  // So that notifications have an order.
  pass(1);
  const line = await pay(who, minor);
  expect(await tick()).toBe(1);
  return line;
};

/** Amounts available in salary, savings and retirement, in minor units. */
async function available({ by }: Saver): Promise<string[]> {
  const { accounts } = await listWallets(test.db, by.actor.id);
  return accounts.map((account) => account.available.minor);
}
const withdrawalsOf = ({ by }: Saver) =>
  test.db
    .selectFrom('withdrawal')
    .select(['id', 'amountMinor', 'status', 'reason'])
    .where('userId', '=', by.actor.id)
    .orderBy('requestedAt')
    .execute();
const noticesOf = ({ by }: Saver) =>
  test.db
    .selectFrom('notification')
    .select(['title', 'message'])
    .where('userId', '=', by.actor.id)
    .where('title', 'like', 'Automatic%')
    .orderBy('createdAt')
    .execute();
const dueLines = () => test.db.selectFrom('payrollDueTransfer').select('lineId').execute();

describe('after a payroll line', () => {
  it('money goes to other wallets and to a bank, in order, and its owner is notified once', async () => {
    const who = await saver(303_596n);
    const rules = [
      ...[fixed(15_000n, wallet(who.savingsId)), percent(500, wallet(who.iraId))],
      above(50_000n, bank(who)),
    ];
    expect(await change(who, rules)).toMatchObject({
      version: 1,
      rules: [{}, {}, { refusal: null }],
    });
    const line = await paid(who, 242_640n);
    expect(await available(who)).toEqual(['50000', '15000', '12132']);
    expect(await withdrawalsOf(who)).toMatchObject([
      { amountMinor: 469_104n, status: 'pending', reason: 'Automatic transfer' },
    ]);
    const [changed, made] = await noticesOf(who);
    expect(changed?.message).toBe(
      'After each payroll into your Salary Wallet: $150.00 to Savings Account (401k), 5% to Retirement (IRA), everything above $500.00 to Cascade Federal Credit Union ••' +
        `${who.bank.accountNumberLast4}. If this was not you, freeze your payouts and change your password.`,
    );
    expect(made?.message).toBe(
      `From your Salary Wallet: $150.00 to Savings Account (401k), $121.32 to Retirement (IRA), $4,691.04 to Cascade Federal Credit Union ••${who.bank.accountNumberLast4}.`,
    );
    expect(await noticesOf(who)).toHaveLength(2);
    expect(await shown(who)).toMatchObject({
      example: { before: USD(303_596n), paid: USD(242_640n) },
      runs: [{ id: line, outcome: 'made', transfers: [{ problem: null }, {}, {}] }],
    });
    expect(await dueLines()).toEqual([]);
  });

  it('fixed amounts are made until nothing is left, and the rest is said', async () => {
    const who = await saver();
    await change(who, [
      ...[fixed(50_000n, wallet(who.savingsId)), fixed(30_000n, wallet(who.iraId))],
      fixed(20_000n, bank(who)),
    ]);
    await paid(who, 60_000n);
    expect(await available(who)).toEqual(['0', '50000', '10000']);
    expect(await withdrawalsOf(who)).toEqual([]);
    expect((await noticesOf(who)).at(-1)).toEqual({
      title: 'Automatic Transfer Left Out',
      message: `From your Salary Wallet: $500.00 to Savings Account (401k), $100.00 to Retirement (IRA). $300.00 to Retirement (IRA) was made in part. There was not enough money. $200.00 to Cascade Federal Credit Union ••${who.bank.accountNumberLast4} was left out. There was not enough money.`,
    });
  });

  it('money on hold is not used', async () => {
    const who = await saver(10_000n);
    await run((tx) => requestWithdrawal(tx, services, who.by, withdrawalOf(who, 10_000n)));
    await change(who, [above(0n, wallet(who.savingsId))]);
    await paid(who, 5_000n);
    expect(await available(who)).toEqual(['0', '5000', '0']);
  });

  it('a third of the line three times, and one cent', async () => {
    const who = await saver();
    const third = () => percent(3_333, wallet(who.savingsId));
    await change(who, [third(), third(), third()]);
    await paid(who, 10_000n);
    expect(await available(who)).toEqual(['1', '9999', '0']);
    await paid(who, 1n);
    expect(await available(who)).toEqual(['2', '9999', '0']);
    expect((await shown(who))?.runs[0]?.transfers.map(({ problem }) => problem)).toEqual([
      ...[null, null, null],
    ]);
  });

  it('individual funding, and a line into a wallet without rules, start nothing', async () => {
    const who = await saver();
    await change(who, [above(0n, wallet(who.savingsId))]);
    await fundAsSeen(test.db, services, admin, {
      ...{ id: who.by.actor.id, type: 'bonus', walletId: who.wallet.id, amount: USD(500n) },
      description: '',
    });
    await pay(who, 700n, 'savings');
    expect(await dueLines()).toEqual([]);
    expect(await tick()).toBe(0);
  });

  it('rules that lead in a circle end after one step', async () => {
    const who = await saver();
    await change(who, [above(0n, wallet(who.savingsId))]);
    await change(who, [above(0n, wallet(who.wallet.id))], { walletId: who.savingsId });
    await paid(who, 900n);
    expect(await tick()).toBe(0);
    expect(await available(who)).toEqual(['0', '900', '0']);
  });

  it('two payrolls in a second have a run each', async () => {
    const who = await saver();
    await change(who, [percent(5_000, wallet(who.savingsId))]);
    await pay(who, 1_000n);
    await pay(who, 501n);
    const counts = await Promise.all([tick(), tick(), tick()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await available(who)).toEqual(['751', '750', '0']);
  });
});

describe('an impossible rule is left out, and the others run', () => {
  it.each([
    ['a closed account', 'This account was closed.', closed],
    ['a removed bank account', 'This bank account was removed.', removed],
    ['a bank account that cools off', 'was changed recently', resetPassword],
    ['frozen payouts', 'until an administrator has checked', frozen],
  ] as const)('%s', async (_, reason, spoil) => {
    const who = await saver();
    await change(who, [
      ...[
        fixed(100n, wallet(who.iraId)),
        fixed(200n, bank(who)),
        fixed(300n, wallet(who.savingsId)),
      ],
    ]);
    await spoil(who);
    expect((await shown(who))?.rules.some(({ refusal }) => refusal?.includes(reason))).toBe(true);
    await paid(who, 1_000n);
    const [last] = (await noticesOf(who)).slice(-1);
    expect(last?.message).toContain('was left out.');
    expect(last?.message).toContain(reason);
    expect((await available(who))[1]).toBe('300');
  });

  async function closed(who: Saver) {
    await run((tx) =>
      closeWallet(tx, services, admin, { userId: who.by.actor.id, type: 'retirement' }),
    );
  }
  async function removed(who: Saver) {
    await run((tx) => bankAccountActs.remove(tx, services, who.by, { id: who.bank.id }));
  }
  async function resetPassword(who: Saver) {
    await test.db
      .updateTable('appUser')
      .set({ passwordResetAt: services.clock.now() })
      .where('id', '=', who.by.actor.id)
      .execute();
  }
  async function frozen(who: Saver) {
    await run((tx) => freezePayouts(tx, services, who.by));
  }

  it('everything, while payments are stopped', async () => {
    const who = await saver();
    await change(who, [fixed(100n, wallet(who.savingsId)), fixed(100n, bank(who))]);
    const stop = (at: Date | null) =>
      run((tx) => updateSettings(tx, services, admin, { payoutsStoppedAt: at }));
    await stop(services.clock.now());
    await paid(who, 1_000n);
    await stop(null);
    expect(await available(who)).toEqual(['1000', '0', '0']);
  });

  it('nothing runs for a person who is deactivated in between', async () => {
    const who = await saver();
    await change(who, [above(0n, bank(who))]);
    const line = await pay(who, 1_000n);
    await run((tx) =>
      deactivatePerson(tx, services, admin, { id: who.by.actor.id, reason: 'Left' }),
    );
    expect(await tick()).toBe(1);
    expect(await withdrawalsOf(who)).toEqual([]);
    expect(await outcomeOf(line)).toBe('left');
  });

  it('more than a new browser may send in a day', async () => {
    const who = await saver();
    const until = new Date(now + 5 * 86_400_000);
    const by = { ...who.by, newBrowserUntil: until };
    await change(who, [fixed(60_000n, bank(who)), fixed(60_000n, bank(who))], { by });
    await paid(who, 200_000n);
    expect(await withdrawalsOf(who)).toMatchObject([{ amountMinor: 60_000n }]);
    expect((await noticesOf(who)).at(-1)?.message).toContain('set up in a new browser');
    pass(6 * 24);
    await paid(who, 200_000n);
    expect(await withdrawalsOf(who)).toHaveLength(3);
  });
});

const outcomeOf = async (lineId: string) =>
  (
    await test.db
      .selectFrom('transferRun')
      .select('outcome')
      .where('lineId', '=', lineId)
      .executeTakeFirst()
  )?.outcome;

describe('a change', () => {
  it('is a version, and a stale one is refused', async () => {
    const who = await saver();
    await change(who, [fixed(100n, wallet(who.savingsId))]);
    await expect(change(who, [])).rejects.toMatchObject({ code: 'automatic_transfers_changed' });
    const results = await Promise.allSettled([
      change(who, [fixed(200n, wallet(who.savingsId))], { version: 1 }),
      change(who, [fixed(300n, wallet(who.savingsId))], { version: 1 }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await change(who, [], { version: 2 })).toMatchObject({ version: 3, rules: [] });
    await pay(who, 100n);
    expect(await tick()).toBe(0);
  });

  it('counts for a line whose rules have not run', async () => {
    const who = await saver();
    await change(who, [fixed(100n, wallet(who.savingsId))]);
    await pay(who, 1_000n);
    await change(who, [fixed(100n, wallet(who.iraId))], { version: 1 });
    await tick();
    expect(await available(who)).toEqual(['900', '0', '100']);
  });

  it.each([
    ['wallet_not_found', (_who: Saver, other: Saver) => fixed(1n, wallet(other.savingsId))],
    ['bank_account_not_verified', (_who: Saver, other: Saver) => fixed(1n, bank(other))],
    ['same_wallet', (who: Saver) => fixed(1n, wallet(who.wallet.id))],
    ['automatic_percent_sum', (who: Saver) => percent(5_001, wallet(who.iraId))],
  ] as const)('is refused with %s', async (code, rule) => {
    const [who, other] = [await saver(), await saver()];
    const rules = [percent(5_000, wallet(who.savingsId)), rule(who, other)];
    await expect(change(who, rules)).rejects.toMatchObject({ code });
    expect(await shown(who)).toMatchObject({ version: 0, rules: [] });
  });

  it('rules of another person’s wallet are refused', async () => {
    const [who, other] = [await saver(), await saver()];
    await expect(
      change(who, [fixed(1n, wallet(who.savingsId))], { walletId: other.wallet.id }),
    ).rejects.toMatchObject({ code: 'wallet_not_found' });
    await expect(
      run((tx) => pauseTransfers(tx, services, who.by, other.wallet.id)),
    ).rejects.toMatchObject({ code: 'wallet_not_found' });
  });

  it('keeps a destination that cannot be used now', async () => {
    const who = await saver();
    await change(who, [fixed(1n, bank(who))]);
    await run((tx) => bankAccountActs.remove(tx, services, who.by, { id: who.bank.id }));
    const rules = [fixed(2n, bank(who)), fixed(1n, wallet(who.iraId))];
    expect(await change(who, rules, { version: 1 })).toMatchObject({
      rules: [{ refusal: 'This bank account was removed.' }, { refusal: null }],
    });
  });
});

describe('pause and skip', () => {
  it('a pause lasts until its owner starts them again', async () => {
    const who = await saver();
    const walletId = who.wallet.id;
    await expect(run((tx) => pauseTransfers(tx, services, who.by, walletId))).rejects.toMatchObject(
      { code: 'automatic_transfers_none' },
    );
    await change(who, [above(0n, wallet(who.savingsId))]);
    const line = await pay(who, 100n);
    await run((tx) => pauseTransfers(tx, services, who.by, walletId));
    await run((tx) => pauseTransfers(tx, services, who.by, walletId));
    expect(await tick()).toBe(1);
    expect(await outcomeOf(line)).toBe('paused');
    await pay(who, 100n);
    expect(await tick()).toBe(0);
    expect(await run((tx) => resumeTransfers(tx, services, who.by, walletId))).toMatchObject({
      pausedAt: null,
    });
    await paid(who, 100n);
    expect(await available(who)).toEqual(['0', '300', '0']);
    expect((await noticesOf(who)).map(({ title }) => title)).toEqual([
      ...['Automatic transfers changed', 'Automatic transfers started again'],
      'Automatic Transfers Made',
    ]);
  });

  it('a skip is for one run', async () => {
    const who = await saver();
    const walletId = who.wallet.id;
    await change(who, [above(0n, wallet(who.savingsId))]);
    const skip = (isSkipped: boolean) =>
      run((tx) => skipTransfers(tx, services, who.by, { walletId, isSkipped }));
    await skip(true);
    await skip(false);
    await paid(who, 100n);
    expect(await skip(true)).toMatchObject({ skipsNext: true });
    const line = await paid(who, 100n);
    expect(await outcomeOf(line)).toBe('skipped');
    expect(await shown(who)).toMatchObject({ skipsNext: false });
    await paid(who, 100n);
    expect(await available(who)).toEqual(['0', '300', '0']);
  });
});

describe('withdrawals below the company’s amount', () => {
  const below = (minor: bigint | null) =>
    run((tx) => updateSettings(tx, services, admin, { automaticPayoutBelowMinor: minor }));

  it('are approved without a click, and others wait', async () => {
    const who = await saver();
    await change(who, [fixed(9_999n, bank(who)), fixed(10_000n, bank(who))]);
    await below(10_000n);
    await paid(who, 50_000n);
    await below(null);
    const [one, other] = await withdrawalsOf(who);
    expect(new Set([one?.status, other?.status])).toEqual(new Set(['approved', 'pending']));
    const approved = one?.status === 'approved' ? one : other;
    expect(approved?.amountMinor).toBe(9_999n);
    const { id = '' } = approved ?? {};
    await run((tx) => withdrawalActs.startProcessing(tx, services, second, { id }));
    await run((tx) => withdrawalActs.complete(tx, services, second, { id }));
    expect((await withdrawalsOf(who)).map(({ status }) => status)).toContain('completed');
  });

  it('count to what administrators do alone, and wait from the threshold on', async () => {
    const who = await saver();
    await change(
      who,
      [...Array(3)].map(() => fixed(4_000n, bank(who))),
    );
    await run((tx) => updateSettings(tx, services, admin, { separatePayoutMinor: 10_000n }));
    await below(5_000n);
    await paid(who, 50_000n);
    await run((tx) => updateSettings(tx, services, admin, { separatePayoutMinor: null }));
    await below(null);
    expect((await withdrawalsOf(who)).map(({ status }) => status).toSorted()).toEqual([
      ...['approved', 'approved', 'pending'],
    ]);
  });
});

describe('a line that is taken back', () => {
  const reverse = (id: string, minor: bigint, left: bigint) =>
    run((tx) =>
      reverseLine(tx, services, second, {
        ...{ id, amount: USD(minor), left: USD(left), reason: 'paid_twice', message: 'Twice.' },
      }),
    );
  const takeBack = (id: string, by = second) => {
    pass(1);
    return run((tx) => takeBackTransfer(tx, services, by, id));
  };

  it('before its rules run transfers nothing', async () => {
    const who = await saver();
    await change(who, [above(0n, wallet(who.savingsId))]);
    const line = await pay(who, 1_000n);
    await reverse(line, 1_000n, 1_000n);
    await tick();
    expect(await outcomeOf(line)).toBe('taken_back');
  });

  it('undoes no transfer; an admin moves back what is still there, and takes the whole line back', async () => {
    const who = await saver();
    await change(who, [fixed(600n, wallet(who.savingsId)), fixed(100n, bank(who))]);
    const line = await paid(who, 1_000n);
    await expect(reverse(line, 1_000n, 1_000n)).rejects.toMatchObject({
      code: 'reversal_unfunded',
    });
    const { transfers: items } = await listLineTransfers(test.db, line);
    expect(items).toMatchObject([
      { amount: USD(600n), available: USD(600n), isTakenBack: false, withdrawal: null },
      { amount: USD(100n), available: null, withdrawal: { status: 'pending' } },
    ]);
    const [moved, sent] = items;
    await expect(takeBack(sent?.id ?? '')).rejects.toMatchObject({
      code: 'automatic_transfer_not_movable',
    });
    await expect(takeBack(crypto.randomUUID())).rejects.toMatchObject({
      code: 'automatic_transfer_not_found',
    });
    const self: CommandContext = { actor: { ...who.by.actor, role: 'admin' } };
    await expect(takeBack(moved?.id ?? '', self)).rejects.toMatchObject({ code: 'own_request' });
    const results = await Promise.allSettled([
      takeBack(moved?.id ?? ''),
      takeBack(moved?.id ?? ''),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await available(who)).toEqual(['900', '0', '0']);
    await reverse(line, 900n, 1_000n);
    expect((await noticesOf(who)).at(-1)?.title).toBe('Automatic Transfer Taken Back');
    expect(await listLineTransfers(test.db, line)).toMatchObject({
      transfers: [{ isTakenBack: true }, {}],
    });
  });

  it('money that is spent is not moved back', async () => {
    const who = await saver();
    await change(who, [fixed(600n, wallet(who.savingsId))]);
    const line = await paid(who, 1_000n);
    await run((tx) =>
      requestWithdrawal(tx, services, who.by, withdrawalOf(who, 1n, { walletId: who.savingsId })),
    );
    const [moved] = (await listLineTransfers(test.db, line)).transfers;
    await expect(takeBack(moved?.id ?? '')).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $5.99',
    });
  });
});

describe('a run that fails', () => {
  it('notifies administrators once after three times, and is tried until it succeeds', async () => {
    const who = await saver();
    await change(who, [fixed(5_000n, wallet(who.savingsId))]);
    await pay(who, 100_000n);
    let failures = 0;
    const broken = {
      clock: {
        now: () => {
          if (failures === 0) return services.clock.now();
          failures -= 1;
          throw new Error('no clock');
        },
      },
    };
    const fail = async (times: number, lines = 1) => {
      for (let count = 0; count < times; count += 1) {
        failures = lines;
        await expect(runTransfers(test.db, broken)).rejects.toThrow(`${lines} runs`);
      }
    };
    const notices = () =>
      test.db
        .selectFrom('notification')
        .select('message')
        .where('kind', '=', 'automatic-transfers-failing')
        .where('userId', '=', admin.actor.id)
        .execute();
    const failing = async () => {
      const { rows } = await sql`SELECT FROM payroll_due_transfer WHERE ${IS_FAILING}`.execute(
        test.db,
      );
      return rows.length;
    };
    await fail(2);
    expect(await notices()).toEqual([]);
    expect(await failing()).toBe(0);
    await fail(1);
    expect(await notices()).toMatchObject([
      { message: expect.stringMatching(/^The automatic transfers of .* failed three times/) },
    ]);
    expect(await failing()).toBe(1);
    // Nobody is notified again, of this line or of another that fails at that time.
    pass(1);
    await pay(who, 100_000n);
    await fail(3, 2);
    expect(await failing()).toBe(2);
    expect(await notices()).toHaveLength(1);
    expect(await tick()).toBe(2);
    expect(await failing()).toBe(0);
  });
});
