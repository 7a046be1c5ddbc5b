import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEPOSIT_METHODS, DEPOSIT_METHOD_IDS, depositFeeMinor } from '#contract/deposits.ts';
import type { DepositMethodId } from '#contract/deposits.ts';
import { formatMoney, money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import type { OpenedWallet } from '#server/modules/wallets/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { completeApplication } from '#test/factories/kyc.ts';
import { expectSoundMoney, fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { depositActs, requestDeposit } from './index.ts';
import type { NewDeposit } from './index.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let owner: CommandContext;
let wallet: OpenedWallet;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  await offerDeposits(db, services);
});
beforeEach(async () => {
  services.clock.set('2026-12-08T15:00:00.000Z');
  owner = await createPersonBy(db, { firstName: 'Maya', lastName: 'Castellanos' });
  wallet = await fundedWallet(db, services, owner, 0n, 'savings');
});
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

const ask = (minor: bigint, method: DepositMethodId = 'ach', input: Partial<NewDeposit> = {}) =>
  withTx(db, (tx) =>
    requestDeposit(tx, services, owner, {
      walletId: wallet.id,
      method,
      amount: money(minor, 'USD'),
      ...input,
    }),
  );
const approve = (id: string, by = admin) =>
  withTx(db, (tx) => depositActs.approve(tx, services, by, { id }));
const reject = (id: string, reason = 'Not received', by = admin) =>
  withTx(db, (tx) => depositActs.reject(tx, services, by, { id, reason }));
const cancel = (id: string, by = owner) =>
  withTx(db, (tx) => depositActs.cancel(tx, services, by, { id }));
const balance = async () => {
  const balances = await accountBalances(db, [wallet.ledgerAccountId]);
  return balances.get(wallet.ledgerAccountId)?.postedMinor;
};

describe('requesting a deposit', () => {
  it('waits, moves nothing, and shows the fee that is charged on top', async () => {
    const asked = await ask(10_000n, 'card', { description: ' From my old account ' });
    expect(asked).toMatchObject({
      status: 'pending',
      walletName: 'Savings Account (401k)',
      methodName: 'Card',
      amount: { minor: '10000', currency: 'USD' },
      fee: { minor: '280', currency: 'USD' },
      description: 'From my old account',
      total: { minor: '10280', currency: 'USD' },
      submittedAt: '2026-12-08T15:00:00.000Z',
      expected: { from: '2026-12-08', to: '2026-12-08' },
      history: [{ status: 'pending', by: 'Maya Castellanos', note: null }],
    });
    expect(asked.reference).toMatch(/^DEP-\d{8}$/);
    expect(await balance()).toBe(0n);
    const notified = await db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', admin.actor.id)
      .where('relatedId', '=', asked.id)
      .execute();
    expect(notified).toEqual([
      { message: 'Maya Castellanos sends $100.00: Card deposit to Savings Account (401k).' },
    ]);
  });

  it.each(DEPOSIT_METHOD_IDS)('keeps %s within its limits', async (method) => {
    if (method === 'secure_transfer') await completeApplication(db, services, owner);
    const { minMinor, maxMinor } = DEPOSIT_METHODS[method];
    const refusal = {
      code: 'deposit_out_of_range',
      message: `Amount must be between ${formatMoney(money(minMinor, 'USD'))} and ${formatMoney(money(maxMinor, 'USD'))}`,
    };
    await expect(ask(minMinor - 1n, method)).rejects.toMatchObject(refusal);
    await expect(ask(maxMinor + 1n, method)).rejects.toMatchObject(refusal);
    expect(await ask(minMinor, method)).toMatchObject({ status: 'pending' });
    const { fee } = await ask(maxMinor, method);
    expect(fee.minor).toBe(String(depositFeeMinor(method, maxMinor)));
  });

  it.each([money(0n, 'USD'), money(-100n, 'USD'), money(100n, 'GBP')])(
    'refuses %o',
    async (amount) => {
      await expect(ask(1n, 'ach', { amount })).rejects.toMatchObject({ code: 'amount_invalid' });
    },
  );

  it("does not find another person's wallet or an unknown one", async () => {
    const other = await fundedWallet(db, services, await createPersonBy(db), 0n);
    for (const walletId of [other.id, crypto.randomUUID()]) {
      await expect(ask(100n, 'ach', { walletId })).rejects.toMatchObject({
        code: 'wallet_not_found',
      });
    }
  });
});

describe('the daily limit', () => {
  it('holds for one method and day, and forgets what was rejected', async () => {
    await ask(500_000n, 'card');
    const second = await ask(400_000n, 'card');
    await expect(ask(100_001n, 'card')).rejects.toMatchObject({
      code: 'deposit_daily_limit',
      message: 'This exceeds the daily limit of $10,000.00 for this method.',
    });
    await ask(500_000n, 'mobile_check');
    await reject(second.id);
    await ask(500_000n, 'card');
    await expect(ask(1_000n, 'card')).rejects.toMatchObject({ code: 'deposit_daily_limit' });
  });

  it('forgets what was cancelled', async () => {
    const { id } = await ask(500_000n, 'card');
    await ask(500_000n, 'card');
    await expect(ask(1_000n, 'card')).rejects.toMatchObject({ code: 'deposit_daily_limit' });
    await cancel(id);
    await ask(500_000n, 'card');
  });

  it('counts what was approved', async () => {
    await approve((await ask(500_000n, 'card')).id);
    await approve((await ask(500_000n, 'card')).id);
    await expect(ask(1_000n, 'card')).rejects.toMatchObject({ code: 'deposit_daily_limit' });
  });

  it('begins again at midnight in the company, not in UTC', async () => {
    services.clock.set('2026-12-08T20:00:00.000Z');
    await ask(500_000n, 'card');
    await ask(500_000n, 'card');
    // 23:30 in New York, the next day in UTC.
    services.clock.set('2026-12-09T04:30:00.000Z');
    await expect(ask(1_000n, 'card')).rejects.toMatchObject({ code: 'deposit_daily_limit' });
    services.clock.set('2026-12-09T05:00:00.000Z');
    await ask(1_000n, 'card');
  });

  it('is not passed by concurrent requests, for different wallets of a person', async () => {
    const types = ['salary', 'retirement', 'irs'] as const;
    const wallets = await Promise.all(
      types.map((type) => fundedWallet(db, services, owner, 0n, type)),
    );
    const results = await Promise.allSettled(
      wallets.map(({ id }) => ask(500_000n, 'card', { walletId: id })),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'deposit_daily_limit' } }]);
  });
});

describe('deciding', () => {
  it('approves: the amount without the fee is posted under the request’s reference', async () => {
    const { id, reference } = await ask(10_000n, 'card');
    services.clock.set('2026-12-09T15:00:00.000Z');
    expect(await approve(id)).toMatchObject({
      status: 'approved',
      employee: { id: owner.actor.id, name: 'Maya Castellanos' },
    });
    const { movedAt } = await db
      .selectFrom('deposit')
      .select('movedAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(movedAt).toEqual(services.clock.now());
    expect(await balance()).toBe(10_000n);
    const posted = await db
      .selectFrom('ledgerTransaction')
      .innerJoin('ledgerEntry', 'ledgerEntry.transactionId', 'ledgerTransaction.id')
      .innerJoin('ledgerAccount', 'ledgerAccount.id', 'ledgerEntry.accountId')
      .select(['ledgerTransaction.description', 'ledgerAccount.code', 'ledgerEntry.amount'])
      .where('ledgerTransaction.reference', '=', reference)
      .orderBy('ledgerEntry.amount')
      .execute();
    const description = 'Card deposit to Savings Account (401k)';
    expect(posted).toEqual([
      { description, code: 'deposit_clearing:card', amount: -10_000n },
      { description, code: null, amount: 10_000n },
    ]);
    const notified = await db
      .selectFrom('notification')
      .select(['title', 'message'])
      .where('userId', '=', owner.actor.id)
      .execute();
    expect(notified).toEqual([
      {
        title: 'Deposit Approved',
        message: `$100.00 is in your Savings Account (401k). Reference ${reference}.`,
      },
    ]);
  });

  it('rejects with a reason, and posts nothing', async () => {
    const { id } = await ask(10_000n);
    expect(await reject(id, ' The check bounced ')).toMatchObject({
      status: 'rejected',
      rejectionReason: 'The check bounced',
    });
    expect(await balance()).toBe(0n);
  });

  it('needs a reason to reject', async () => {
    const { id } = await ask(10_000n);
    await expect(reject(id, '  ')).rejects.toMatchObject({ code: 'reason_required' });
  });

  it.each(['approved', 'rejected'] as const)('refuses one that is %s', async (status) => {
    const { id } = await ask(10_000n);
    await (status === 'approved' ? approve(id) : reject(id));
    const before = await balance();
    const refusal = {
      code: 'deposit_already_decided',
      message: expect.stringMatching(
        new RegExp(`^Renee Albright ${status} this on \\w{3} \\d+ at \\d+:\\d{2} [AP]M\\. `),
      ) as string,
    };
    await expect(approve(id)).rejects.toMatchObject(refusal);
    await expect(reject(id)).rejects.toMatchObject(refusal);
    expect(await balance()).toBe(before);
  });

  it('happens once when approved twice, or approved and rejected, concurrently', async () => {
    for (const other of [approve, reject]) {
      const { id } = await ask(10_000n);
      const results = await Promise.allSettled([approve(id), other(id)]);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'deposit_already_decided' } }]);
    }
  });

  it('is not for one’s own, nor for what is not there', async () => {
    const { id } = await ask(10_000n);
    const self: CommandContext = { actor: { ...owner.actor, role: 'admin' } };
    await expect(approve(id, self)).rejects.toMatchObject({ code: 'own_request' });
    await expect(reject(id, 'No', self)).rejects.toMatchObject({ code: 'own_request' });
    await expect(approve(crypto.randomUUID())).rejects.toMatchObject({ code: 'deposit_not_found' });
    await expect(reject(crypto.randomUUID())).rejects.toMatchObject({ code: 'deposit_not_found' });
  });
});

describe('cancelling', () => {
  it('ends one’s own while it waits: nothing is posted, and nobody can approve it', async () => {
    const { id } = await ask(10_000n);
    services.clock.set('2026-12-08T16:00:00.000Z');
    expect(await cancel(id)).toMatchObject({
      status: 'cancelled',
      expected: null,
      history: [
        { status: 'pending' },
        { status: 'cancelled', at: '2026-12-08T16:00:00.000Z', by: 'Maya Castellanos' },
      ],
    });
    expect(await balance()).toBe(0n);
    await expect(approve(id)).rejects.toMatchObject({ code: 'deposit_wrong_status' });
    await expect(cancel(id)).rejects.toMatchObject({ code: 'deposit_not_cancellable' });
  });

  it('is not for another’s, nor for what was decided', async () => {
    const { id } = await ask(10_000n);
    const other = await createPersonBy(db);
    await expect(cancel(id, other)).rejects.toMatchObject({ code: 'deposit_not_found' });
    await approve(id);
    await expect(cancel(id)).rejects.toMatchObject({ code: 'deposit_not_cancellable' });
    expect(await balance()).toBe(10_000n);
  });

  it('and approving concurrently: one of them wins, whichever comes first', async () => {
    for (const order of [
      [cancel, approve],
      [approve, cancel],
    ]) {
      const { id } = await ask(10_000n);
      const before = (await balance()) ?? 0n;
      const results = await Promise.allSettled(order.map((act) => act(id)));
      expectOneWins(
        results,
        'deposit_not_cancellable',
        'deposit_already_decided',
        'deposit_wrong_status',
      );
      const { status } = await db
        .selectFrom('deposit')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(await balance()).toBe(status === 'approved' ? before + 10_000n : before);
    }
  });
});
