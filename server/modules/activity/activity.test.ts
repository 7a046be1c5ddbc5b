import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { reverseAll } from '#server/modules/ledger/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { submittedApplication } from '#test/factories/kyc.ts';
import { createPayee, fundedWallet, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { getEmployeeDashboard } from './employee-dashboard.ts';
import { getShell } from './shell.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

// A database each: an account's time only advances, and tests share the system's accounts. Times
// lie in the past, because nothing is posted in the future.
beforeEach(async () => {
  services.clock.set('2025-12-08T15:00:00.000Z');
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  admin = await createPersonBy(db, { role: 'admin' });
});
afterEach(() => test.close());

const dashboard = ({ actor }: CommandContext) =>
  getEmployeeDashboard(db, services, { userId: actor.id });
const payee = (fundedMinor: bigint) => createPayee(db, services, { admin, fundedMinor });
const at = (time: string) => services.clock.set(time);

async function deposited({ by, wallet }: Payee, minor: bigint): Promise<string> {
  const { id } = await asked({ by, wallet }, minor);
  await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id }));
  return id;
}
const asked = ({ by, wallet }: Pick<Payee, 'by' | 'wallet'>, minor: bigint) =>
  withTx(db, (tx) =>
    requestDeposit(tx, services, by, {
      walletId: wallet.id,
      method: 'ach',
      amount: money(minor, 'USD'),
    }),
  );
async function postingOf(subjectId: string): Promise<string> {
  const { id } = await db
    .selectFrom('ledgerTransaction')
    .select('id')
    .where('subjectId', '=', subjectId)
    .executeTakeFirstOrThrow();
  return id;
}

const setSchedule = (schedule: PayrollSchedule | null) =>
  withTx(db, (tx) => updateSettings(tx, services, admin, { schedule }));

/** A change that no command makes: a payroll put back to before it was posted. */
const asOwner = (statement: string, values: readonly string[]) =>
  withClient(test.superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(statement, [...values]);
  });

describe('the dashboard of a new person', () => {
  it('is empty, and makes up no payday', async () => {
    expect(await dashboard(await createPersonBy(db))).toEqual({
      lastDeposit: null,
      nextPayroll: null,
      ytdEarnings: money(0n, 'USD'),
      ytdPayroll: money(0n, 'USD'),
      ytdDeposits: money(0n, 'USD'),
      earningsByMonth: Array.from({ length: 12 }, () => money(0n, 'USD')),
      yearSoFar: {
        received: money(0n, 'USD'),
        withdrawn: money(0n, 'USD'),
        accounts: [],
        payroll: money(0n, 'USD'),
        deposits: money(0n, 'USD'),
        payments: money(0n, 'USD'),
        months: Array.from({ length: 12 }, () => ({
          received: money(0n, 'USD'),
          withdrawn: money(0n, 'USD'),
        })),
        held: money(0n, 'USD'),
        onItsWay: money(0n, 'USD'),
      },
      recentActivity: [],
      pendingWithdrawals: [],
      pendingWithdrawalsTotal: money(0n, 'USD'),
      askedRecoveries: [],
    });
  });

  it('follows the company’s payroll schedule', async () => {
    const by = await createPersonBy(db);
    await setSchedule(payrollSchedule({ frequency: 'monthly', day: '15' }));
    expect((await dashboard(by)).nextPayroll).toEqual({ date: '2025-12-15', inDays: 7 });
    await setSchedule(null);
  });
});

describe('earnings', () => {
  it('are this year’s payroll and deposits, over all wallets, by month', async () => {
    at('2024-12-20T15:00:00.000Z');
    const maya = await payee(900_000n);
    at('2025-11-10T15:00:00.000Z');
    await deposited(maya, 10_000n);
    at('2025-12-01T15:00:00.000Z');
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
    at('2025-12-08T15:00:00.000Z');

    const { ytdEarnings, ytdPayroll, ytdDeposits, earningsByMonth, lastDeposit } = await dashboard(
      maya.by,
    );
    expect(ytdEarnings).toEqual(money(40_000n, 'USD'));
    expect([ytdPayroll, ytdDeposits]).toEqual([money(30_000n, 'USD'), money(10_000n, 'USD')]);
    expect(earningsByMonth.slice(9)).toEqual([
      money(0n, 'USD'),
      money(10_000n, 'USD'),
      money(30_000n, 'USD'),
    ]);
    expect(lastDeposit).toEqual({
      amount: money(30_000n, 'USD'),
      description: 'Payroll, December 2026',
      at: '2025-12-01T15:00:00.000Z',
    });
  });

  it('leave months to come open', async () => {
    at('2025-03-08T15:00:00.000Z');
    const { earningsByMonth } = await dashboard(await createPersonBy(db));
    expect(earningsByMonth.map((month) => month?.minor ?? null)).toEqual([
      '0',
      '0',
      '0',
      ...Array.from({ length: 9 }, () => null),
    ]);
  });

  it('do not name a deposit that was reversed as the last', async () => {
    const maya = await payee(5_000n);
    at('2025-12-08T16:00:00.000Z');
    const id = await deposited(maya, 10_000n);
    expect((await dashboard(maya.by)).lastDeposit?.amount).toEqual(money(10_000n, 'USD'));
    const reversal = {
      transactionId: await postingOf(id),
      reference: `TXN-${id}`,
      description: 'ACH return',
      actorId: admin.actor.id,
    };
    await withTx(db, (tx) => reverseAll(tx, [reversal], { effectiveAt: services.clock.now() }));
    const { lastDeposit, ytdEarnings, yearSoFar } = await dashboard(maya.by);
    expect(lastDeposit?.amount).toEqual(money(5_000n, 'USD'));
    expect(ytdEarnings).toEqual(money(5_000n, 'USD'));
    expect(yearSoFar.received).toEqual(money(5_000n, 'USD'));
  });

  it('and the last payment are less what was taken back of a payroll', async () => {
    const maya = await payee(50_000n);
    const { id } = await db
      .selectFrom('payrollLine')
      .select('id')
      .where('userId', '=', maya.by.actor.id)
      .executeTakeFirstOrThrow();
    const [amount, left] = [money(12_000n, 'USD'), money(50_000n, 'USD')];
    const why = { reason: 'wrong_amount', message: 'It was too much.' } as const;
    await withTx(db, (tx) => reverseLine(tx, services, admin, { id, amount, left, ...why }));
    const { lastDeposit, ytdEarnings, ytdPayroll, yearSoFar } = await dashboard(maya.by);
    const rest = money(38_000n, 'USD');
    expect(lastDeposit?.amount).toEqual(rest);
    expect([ytdEarnings, ytdPayroll, yearSoFar.received, yearSoFar.payroll]).toEqual(
      Array.from({ length: 4 }, () => rest),
    );
  });
});

describe('the year so far', () => {
  it('is what came and left by account and month, and what is held and on its way', async () => {
    at('2024-12-20T15:00:00.000Z');
    const maya = await payee(900_000n);
    at('2025-11-10T15:00:00.000Z');
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    for (const status of ['completed', 'returned', 'pending', 'processing'] as const) {
      await withdrawalIn(db, services, { payee: maya, admin, status, amountMinor: 10_000n });
    }
    at('2025-12-08T15:00:00.000Z');
    const { yearSoFar } = await dashboard(maya.by);
    const sums = (received: bigint, withdrawn: bigint) => ({
      received: money(received, 'USD'),
      withdrawn: money(withdrawn, 'USD'),
    });
    expect(yearSoFar).toMatchObject({
      ...sums(30_000n, 10_000n),
      accounts: [
        { type: 'salary', ...sums(0n, 10_000n) },
        { type: 'savings', ...sums(30_000n, 0n) },
      ],
      held: money(10_000n, 'USD'),
      onItsWay: money(10_000n, 'USD'),
    });
    expect(yearSoFar.months).toHaveLength(12);
    expect(yearSoFar.months[10]).toEqual(sums(30_000n, 10_000n));
  });
});

describe('the next payday', () => {
  it('is the day of a payroll that is sent and pays the person, and not of one that waits for approval', async () => {
    const maya = await payee(5_000n);
    const { id } = await db
      .selectFrom('payrollBatch')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const other = await payee(5_000n);
    const setStatus = async (status: 'draft' | 'pending', postAfter: string) => {
      await asOwner(
        `UPDATE payroll_line SET status = 'draft', ledger_transaction_id = NULL WHERE batch_id = $1`,
        [id],
      );
      await asOwner('UPDATE payroll_batch SET status = $2, post_after = $3 WHERE id = $1', [
        id,
        status,
        postAfter,
      ]);
    };
    await setStatus('pending', '2025-12-09T15:00:00.000Z');
    expect((await dashboard(maya.by)).nextPayroll).toEqual({ date: '2025-12-09', inDays: 1 });
    expect((await dashboard(other.by)).nextPayroll).toBe(null);
    await setStatus('pending', '2025-12-07T15:00:00.000Z');
    expect((await dashboard(maya.by)).nextPayroll).toEqual({ date: '2025-12-08', inDays: 0 });
    await setStatus('draft', '2025-12-09T15:00:00.000Z');
    expect((await dashboard(maya.by)).nextPayroll).toBe(null);
  });

  it('is the one after today’s once a payroll has paid the person', async () => {
    await setSchedule(payrollSchedule({ frequency: 'biweekly', firstPayday: '2025-12-08' }));
    const unpaid = await createPersonBy(db);
    expect((await dashboard(unpaid)).nextPayroll).toEqual({ date: '2025-12-08', inDays: 0 });
    const paid = await payee(5_000n);
    expect((await dashboard(paid.by)).nextPayroll).toEqual({ date: '2025-12-22', inDays: 14 });
    await setSchedule(null);
  });
});

describe('recent activity', () => {
  it('has one row per event: what was posted, and requests that were not', async () => {
    at('2025-12-01T15:00:00.000Z');
    const maya = await payee(500_000n);
    const bank = `Cascade Federal Credit Union ••${maya.bank.accountNumberLast4}`;
    at('2025-12-02T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
    at('2025-12-03T15:00:00.000Z');
    const rejected = await asked(maya, 2_000n);
    await withTx(db, (tx) =>
      depositActs.reject(tx, services, admin, { id: rejected.id, reason: 'Not received' }),
    );
    at('2025-12-04T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'cancelled' });
    at('2025-12-05T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'approved' });

    const { recentActivity } = await dashboard(maya.by);
    expect(
      recentActivity.map(({ type, description, status, amount }) => [
        type,
        description,
        status,
        amount.minor,
      ]),
    ).toEqual([
      ['withdrawal', `Withdrawal to ${bank}`, 'pending', '-40000'],
      ['withdrawal', `Withdrawal to ${bank}`, 'cancelled', '-40000'],
      ['deposit', 'ACH deposit to Salary Wallet', 'failed', '2000'],
      ['withdrawal', `Withdrawal to ${bank}`, 'completed', '-40000'],
      ['payroll', 'Payroll, December 2026', 'completed', '500000'],
    ]);
    expect(recentActivity.map((item) => item.at)).toEqual(
      ['05', '04', '03', '02', '01'].map((day) => `2025-12-${day}T15:00:00.000Z`),
    );
  });

  it('shows a returned payout and its coming back, and the last five alone', async () => {
    const maya = await payee(500_000n);
    for (const hour of ['16', '17', '18']) {
      at(`2025-12-08T${hour}:00:00.000Z`);
      await deposited(maya, 100n);
    }
    at('2025-12-08T19:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
    const { recentActivity } = await dashboard(maya.by);
    expect(recentActivity.map((item) => [item.type, item.amount.minor])).toEqual([
      ['reversal', '40000'],
      ['withdrawal', '-40000'],
      ...Array.from({ length: 3 }, () => ['deposit', '100']),
    ]);
  });

  it("is nobody else's", async () => {
    const maya = await payee(500_000n);
    await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
    const other = await dashboard(await createPersonBy(db));
    expect(other.recentActivity).toEqual([]);
    expect(other.pendingWithdrawals).toEqual([]);
    expect(other.lastDeposit).toBeNull();
  });
});

it('sums the withdrawals that are on their way', async () => {
  const maya = await payee(500_000n);
  for (const status of ['pending', 'approved', 'processing', 'completed', 'rejected'] as const) {
    await withdrawalIn(db, services, { payee: maya, admin, status });
  }
  const { pendingWithdrawals, pendingWithdrawalsTotal } = await dashboard(maya.by);
  expect(pendingWithdrawals.map((one) => one.status).toSorted()).toEqual([
    'approved',
    'pending',
    'processing',
  ]);
  expect(pendingWithdrawalsTotal).toEqual(money(120_000n, 'USD'));
});

describe('the layout’s counts', () => {
  it('are unread notifications, and for admins what waits', async () => {
    const before = await getShell(db, admin.actor);
    const maya = await payee(500_000n);
    await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
    await withdrawalIn(db, services, { payee: maya, admin, status: 'approved' });
    await asked(maya, 2_000n);
    await pendingBank(db, services, maya.by);
    await submittedApplication(db, services, await createPersonBy(db));

    const after = await getShell(db, admin.actor);
    const grown = (key: 'kyc' | 'bankAccounts' | 'deposits' | 'withdrawals') =>
      (after.waiting?.[key] ?? 0) - (before.waiting?.[key] ?? 0);
    expect([grown('kyc'), grown('bankAccounts'), grown('deposits'), grown('withdrawals')]).toEqual([
      1, 1, 1, 2,
    ]);
    expect(after.unreadNotifications).toBeGreaterThan(before.unreadNotifications);
  });

  it('show employees nothing of the queues', async () => {
    const { actor } = await createPersonBy(db);
    const own = { isMailStopped: false, waiting: null, booksCheckedAt: null };
    expect(await getShell(db, actor)).toEqual({ unreadNotifications: 0, ...own });
    const message = { message: 'Hello', at: services.clock.now() };
    await withTx(db, (tx) => notify(tx, actor.id, { ...message, kind: 'welcome' }));
    expect(await getShell(db, actor)).toEqual({ unreadNotifications: 1, ...own });
  });
});
