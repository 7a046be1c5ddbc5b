import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import { IS_FAILING } from '#server/modules/payroll/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { closeWallet } from '#server/modules/wallets/index.ts';
import { requestWithdrawal, withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { withdrawalOf } from '#test/factories/money.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { USD, above, bank, fixed, openSavers, percent, wallet } from '#test/transfers-fixture.ts';
import type { Saver } from '#test/transfers-fixture.ts';
import { runTransfers } from './run-transfers.ts';

const {
  db,
  services,
  run,
  pass,
  tick,
  pay,
  admin,
  second,
  saver,
  shown,
  change,
  paid,
  available,
  withdrawalsOf,
  noticesOf,
  dueLines,
  outcomeOf,
} = openSavers();

describe('after a payroll line', () => {
  it('money goes to other wallets and to a bank, in order, and its owner is notified once', async () => {
    const who = await saver(303_596n);
    const rules = [
      fixed(15_000n, wallet(who.savingsId)),
      percent(500, wallet(who.iraId)),
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
      fixed(50_000n, wallet(who.savingsId)),
      fixed(30_000n, wallet(who.iraId)),
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
      null,
      null,
      null,
    ]);
  });

  it('individual funding, and a line into a wallet without rules, start nothing', async () => {
    const who = await saver();
    await change(who, [above(0n, wallet(who.savingsId))]);
    await fundAsSeen(db(), services, admin(), {
      id: who.by.actor.id,
      type: 'bonus',
      walletId: who.wallet.id,
      amount: USD(500n),
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
      fixed(100n, wallet(who.iraId)),
      fixed(200n, bank(who)),
      fixed(300n, wallet(who.savingsId)),
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
      closeWallet(tx, services, admin(), { userId: who.by.actor.id, type: 'retirement' }),
    );
  }
  async function removed(who: Saver) {
    await run((tx) => bankAccountActs.remove(tx, services, who.by, { id: who.bank.id }));
  }
  async function resetPassword(who: Saver) {
    await db()
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
      run((tx) => updateSettings(tx, services, admin(), { payoutsStoppedAt: at }));
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
      deactivatePerson(tx, services, admin(), { id: who.by.actor.id, reason: 'Left' }),
    );
    expect(await tick()).toBe(1);
    expect(await withdrawalsOf(who)).toEqual([]);
    expect(await outcomeOf(line)).toBe('left');
  });

  it('more than a new browser may send in a day', async () => {
    const who = await saver();
    const until = new Date(services.clock.now().getTime() + 5 * 86_400_000);
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

describe('withdrawals below the company’s amount', () => {
  const below = (minor: bigint | null) =>
    run((tx) => updateSettings(tx, services, admin(), { automaticPayoutBelowMinor: minor }));

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
    await run((tx) => withdrawalActs.startProcessing(tx, services, second(), { id }));
    await run((tx) => withdrawalActs.complete(tx, services, second(), { id }));
    expect((await withdrawalsOf(who)).map(({ status }) => status)).toContain('completed');
  });

  it('count to what administrators do alone, and wait from the threshold on', async () => {
    const who = await saver();
    await change(
      who,
      [...Array(3)].map(() => fixed(4_000n, bank(who))),
    );
    await run((tx) => updateSettings(tx, services, admin(), { separatePayoutMinor: 10_000n }));
    await below(5_000n);
    await paid(who, 50_000n);
    await run((tx) => updateSettings(tx, services, admin(), { separatePayoutMinor: null }));
    await below(null);
    expect((await withdrawalsOf(who)).map(({ status }) => status).toSorted()).toEqual([
      'approved',
      'approved',
      'pending',
    ]);
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
        await expect(runTransfers(db(), broken)).rejects.toThrow(`${lines} runs`);
      }
    };
    const notices = () =>
      db()
        .selectFrom('notification')
        .select('message')
        .where('kind', '=', 'automatic-transfers-failing')
        .where('userId', '=', admin().actor.id)
        .execute();
    const failing = async () => {
      const { rows } = await sql`SELECT FROM payroll_due_transfer WHERE ${IS_FAILING}`.execute(
        db(),
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
