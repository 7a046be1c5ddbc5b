import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import { createPayrollDraft } from '#server/modules/payroll/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { makeBills } from '#test/factories/bills.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { getAdminDashboard } from './admin-dashboard.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

// A database each: the figures are the whole company's. A Monday; times lie in the past, because
// nothing is posted in the future.
beforeEach(async () => {
  services.clock.set('2025-12-08T15:00:00.000Z');
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  await withTx(db, (tx) => setTimeZone(tx, 'America/New_York'));
  admin = await createPersonBy(db, { role: 'admin' });
});
afterEach(() => test.close());

const dashboard = () => getAdminDashboard(db, services, admin.actor.id);
const at = (time: string) => services.clock.set(time);
const asked = ({ by, wallet }: Payee, minor: bigint) =>
  withTx(db, (tx) =>
    requestDeposit(tx, services, by, {
      walletId: wallet.id,
      method: 'ach',
      amount: money(minor, 'USD'),
    }),
  );

function payee(name: string, fundedMinor = 500_000n): Promise<Payee> {
  const [firstName = '', lastName = ''] = name.split(' ');
  return createPayee(db, services, { admin, fundedMinor, firstName, lastName });
}

it('is empty for a new company, and knows the next payday', async () => {
  expect(await dashboard()).toEqual({
    setup: { decided: 0 },
    totalEmployees: 0,
    joinedThisMonth: 0,
    monthlyPayroll: money(0n, 'USD'),
    pendingDeposits: { count: 0, amount: money(0n, 'USD') },
    systemHealth: {
      uptime: null,
      checks: {
        ...Object.fromEntries(
          ['database', 'queue', 'mail', 'storage', 'ledger'].map((check) => [check, 'unknown']),
        ),
        replica: null,
      },
      checkedAt: null,
      areBooksSound: true,
      failedDeliveries: 0,
      failedTransfers: 0,
      refusedPayments: 0,
      restoreDrill: null,
    },
    recentActivity: [],
    upcomingPayroll: [],
    upcomingDrafts: [],
    nextPayroll: null,
    cashOutByWeek: [
      '2025-10-20',
      '2025-10-27',
      '2025-11-03',
      '2025-11-10',
      '2025-11-17',
      '2025-11-24',
      '2025-12-01',
      '2025-12-08',
    ].map((weekOf) => ({ weekOf, amount: money(0n, 'USD') })),
  });
});

it('counts active employees, and who joined since the first in the company’s time zone', async () => {
  // Midnight in New York is 05:00 UTC.
  for (const createdAt of [
    '2025-12-01T04:59:59Z',
    '2025-12-01T05:00:00Z',
    '2025-12-05T12:00:00Z',
  ]) {
    await createPersonBy(db, { createdAt: new Date(createdAt) });
  }
  const { actor } = await createPersonBy(db);
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: services.clock.now() })
    .where('id', '=', actor.id)
    .execute();
  expect(await dashboard()).toMatchObject({ totalEmployees: 3, joinedThisMonth: 2 });
});

it('sums this month’s payroll alone, and the deposits that wait', async () => {
  at('2025-12-01T04:00:00.000Z');
  const maya = await payee('Maya Castellanos', 700_000n);
  at('2025-12-01T06:00:00.000Z');
  await fundedWallet(db, services, maya.by, 30_000n, 'savings');
  at('2025-12-08T15:00:00.000Z');
  await fundedWallet(db, services, maya.by, 12_345n, 'irs');
  await asked(maya, 1_000n);
  await asked(maya, 2_500n);
  const approved = await asked(maya, 9_000n);
  await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id: approved.id }));
  const { monthlyPayroll, pendingDeposits } = await dashboard();
  expect(monthlyPayroll).toEqual(money(42_345n, 'USD'));
  expect(pendingDeposits).toEqual({ count: 2, amount: money(3_500n, 'USD') });
});

it('shows the newest four of everyone’s activity, one row per event', async () => {
  at('2025-12-01T15:00:00.000Z');
  const maya = await payee('Maya Castellanos');
  const joao = await payee('João Figueiredo', 400_000n);
  at('2025-12-02T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
  at('2025-12-03T15:00:00.000Z');
  const { id } = await asked(joao, 2_000n);
  await withTx(db, (tx) => depositActs.reject(tx, services, admin, { id, reason: 'Not received' }));
  at('2025-12-04T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: joao, admin, status: 'cancelled' });

  const shown = async () =>
    (await dashboard()).recentActivity.map((item) => [
      item.type,
      item.employeeName,
      item.status,
      item.amount.minor,
    ]);
  expect(await shown()).toEqual([
    ['withdrawal', 'João Figueiredo', 'cancelled', '-40000'],
    ['deposit', 'João Figueiredo', 'failed', '2000'],
    ['withdrawal', 'Maya Castellanos', 'completed', '-40000'],
    ['payroll', 'João Figueiredo', 'completed', '400000'],
  ]);
  at('2025-12-05T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'approved' });
  at('2025-12-06T15:00:00.000Z');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
  const types = (await shown()).map(([type, , status]) => [type, status]);
  expect(types).toEqual([
    ['reversal', 'completed'],
    ['withdrawal', 'completed'],
    ['withdrawal', 'pending'],
    ['withdrawal', 'cancelled'],
  ]);
});

it('sums completed withdrawals and paid bills by the company’s weeks, across a change of clocks', async () => {
  at('2025-10-01T15:00:00.000Z');
  const maya = await payee('Maya Castellanos');
  const completedAt = async (time: string, amountMinor: bigint) => {
    at(time);
    await withdrawalIn(db, services, { payee: maya, admin, status: 'completed', amountMinor });
  };
  await completedAt('2025-10-20T03:59:59.000Z', 100n); // Sunday evening, a week too old
  await completedAt('2025-10-20T04:00:00.000Z', 200n); // Monday, 00:00 in summer
  await completedAt('2025-11-03T04:59:59.000Z', 400n); // Sunday, 23:59 in winter
  await completedAt('2025-11-03T05:00:00.000Z', 800n); // Monday, 00:00
  await completedAt('2025-12-08T14:00:00.000Z', 1_600n);
  at('2025-11-17T15:00:00.000Z');
  await makeBills(db, services, { payee: maya, admin });
  at('2025-12-08T15:00:00.000Z');
  for (const status of ['processing', 'returned'] as const) {
    await withdrawalIn(db, services, { payee: maya, admin, status, amountMinor: 3_200n });
  }
  const { cashOutByWeek } = await dashboard();
  // One of seven bills in as many statuses is paid.
  expect(cashOutByWeek.map(({ amount }) => amount.minor)).toEqual([
    '200',
    '400',
    '800',
    '0',
    '1500',
    '0',
    '0',
    '1600',
  ]);
});

it('lists five batches that are not finished, soonest first', async () => {
  const statuses: PayrollStatus[] = [
    'completed',
    'failed',
    'draft',
    'pending',
    'processing',
    ...repeated('pending', 3),
  ];
  for (const [place, status] of statuses.entries()) {
    await insertBatch({ name: `Batch ${place}`, status, day: 30 - place });
  }
  const { upcomingPayroll } = await dashboard();
  expect(upcomingPayroll.map(({ name }) => name)).toEqual(
    [7, 6, 5, 4, 3].map((place) => `Batch ${place}`),
  );
  expect(upcomingPayroll[3]).toMatchObject({
    payPeriod: 'December 2025',
    employees: 34,
    total: money(8_874_000n, 'USD'),
    status: 'processing',
  });
});

it('lists the five open drafts that were changed last, with what each would pay', async () => {
  const { id: employeeId } = (await payee('Maya Castellanos')).by.actor;
  for (let day = 1; day <= 6; day += 1) {
    at(`2025-12-0${day}T15:00:00.000Z`);
    await withTx(db, (tx) =>
      createPayrollDraft(tx, services, admin, {
        walletType: 'salary',
        department: 'chosen',
        payOn: null,
        people: [employeeId],
        description: `Draft ${day}`,
        hasOwnAmounts: false,
        amount: money(10_001n, 'USD'),
      }),
    );
  }
  await db
    .updateTable('payrollDraft')
    .set({ status: 'discarded' })
    .where('description', '=', 'Draft 5')
    .execute();
  const { upcomingDrafts } = await dashboard();
  expect(upcomingDrafts.map(({ description }) => description)).toEqual(
    [6, 4, 3, 2, 1].map((day) => `Draft ${day}`),
  );
  expect(upcomingDrafts[0]).toMatchObject({ employees: 1, total: money(10_001n, 'USD') });
});

const repeated = (status: PayrollStatus, count: number) =>
  Array.from({ length: count }, () => status);

async function insertBatch(batch: {
  name: string;
  status: PayrollStatus;
  day: number;
}): Promise<void> {
  await db
    .insertInto('payrollBatch')
    .values({
      id: newId(),
      number: batch.name,
      name: batch.name,
      payPeriod: 'December 2025',
      description: 'December',
      walletType: 'salary',
      department: 'all',
      amountMinor: 261_000n,
      currency: 'USD',
      status: batch.status,
      previewHash: Buffer.alloc(32),
      payableCount: 34,
      skippedCount: 0,
      totalMinor: 8_874_000n,
      ...(batch.status === 'completed' && { paidCount: 34, paidMinor: 8_874_000n }),
      ...(batch.status === 'failed' && { failedCount: 34 }),
      createdBy: admin.actor.id,
      postAfter: new Date(Date.UTC(2025, 11, batch.day)),
    })
    .execute();
}

describe('system health', () => {
  const checked = (
    time: string,
    failing: Partial<Record<'database' | 'mail' | 'ledger' | 'replica', boolean>> = {},
  ) =>
    db
      .insertInto('healthCheck')
      .values({ at: time, database: true, queue: true, mail: true, storage: null, ...failing })
      .execute();
  const health = async () => (await dashboard()).systemHealth;

  it('is the last check, and the share of thirty days that passed, rounded down', async () => {
    await checked('2025-11-08T14:59:00Z', { database: false }); // Older than thirty days.
    for (const minute of ['40', '41', '42', '43', '44'])
      await checked(`2025-12-08T14:${minute}:00Z`);
    // A replica is no part of the uptime.
    await checked('2025-12-08T14:58:00Z', { replica: false });
    await checked('2025-12-08T14:59:00Z', { mail: false, ledger: false, replica: false });
    expect(await health()).toEqual({
      uptime: '85.7',
      checks: {
        database: 'up',
        queue: 'up',
        mail: 'down',
        storage: 'unknown',
        ledger: 'down',
        replica: 'down',
      },
      checkedAt: '2025-12-08T14:59:00.000Z',
      areBooksSound: true,
      failedDeliveries: 0,
      failedTransfers: 0,
      refusedPayments: 0,
      restoreDrill: null,
    });
  });

  it('is unknown when nothing was checked recently', async () => {
    await checked('2025-12-08T14:30:00Z');
    const unknown = 'unknown';
    expect(await health()).toEqual({
      uptime: '100.0',
      checks: {
        database: unknown,
        queue: unknown,
        mail: unknown,
        storage: unknown,
        ledger: unknown,
        replica: null,
      },
      checkedAt: '2025-12-08T14:30:00.000Z',
      areBooksSound: true,
      failedDeliveries: 0,
      failedTransfers: 0,
      refusedPayments: 0,
      restoreDrill: null,
    });
  });
});
