import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/calendar.ts';
import { firstView } from '#contract/list.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { PayrollLineStatus } from '#contract/payroll.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { systemClock } from '#server/lib/clock.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { readBatchReader } from './approval.ts';
import type { BatchReader } from './approval.ts';
import { payrollBatches, sumDays } from './batch-list.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { getPayrollStats } from './queries.ts';
import { reverseLine } from './reverse-line.ts';

const services = { clock: systemClock };
const BATCHES = { ...firstView(payrollBatchList), page: 1, pageSize: 10 };
let test: TestDb;
let admin: Actor;
let people: SeededEmployee[];
/** The older batch is paid; of the newer one nothing is. */
let paidId: string;
let waitingId: string;

beforeAll(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  people = await seedEmployees(test.db, { count: 3 });
  await seedEmployees(test.db, { count: 2, walletType: null });
  paidId = await confirmPayroll(test.db, admin);
  await postPayroll(test.db, services, paidId, { chunkLines: 100 });
  waitingId = await confirmPayroll(test.db, admin);
});
afterAll(() => test.close());

describe('the batches', () => {
  let asking: BatchReader;
  beforeAll(async () => {
    asking = await readBatchReader(test.db, admin.id);
  });
  const list = async (changes: Partial<typeof BATCHES> = {}) => {
    const query = { ...BATCHES, ...changes };
    const { items } = await payrollBatches.page(test.db, query, asking);
    const { total } = await payrollBatches.count(test.db, query, asking);
    return { ids: items.map(({ id }) => id), total };
  };

  it('come newest first, and are found by status and name', async () => {
    expect(await list()).toEqual({ ids: [waitingId, paidId], total: 2 });
    expect(await list({ status: 'completed' })).toEqual({ ids: [paidId], total: 1 });
    expect(await list({ search: 'salary wallet' })).toMatchObject({ total: 2 });
    expect(await list({ search: '%' })).toEqual({ ids: [], total: 0 });
  });

  it('say whether another page follows', async () => {
    const page = (number: number) =>
      payrollBatches.page(test.db, { ...BATCHES, page: number, pageSize: 1 }, asking);
    expect([(await page(1)).hasMore, (await page(2)).hasMore]).toEqual([true, false]);
  });

  it('are found by the people whom they pay, and by their department', async () => {
    const [paid] = people;
    const { name } = await test.db
      .selectFrom('appUser')
      .select('name')
      .where('id', '=', paid?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(await list({ search: name })).toEqual({ ids: [waitingId, paidId], total: 2 });
    // A person without a wallet was skipped.
    const skipped = await test.db
      .selectFrom('payrollLine')
      .innerJoin('appUser', 'appUser.id', 'payrollLine.userId')
      .select('name')
      .where('payrollLine.status', '=', 'skipped')
      .executeTakeFirstOrThrow();
    expect(await list({ search: skipped.name })).toMatchObject({ total: 0 });
    expect(await list({ department: 'sales' })).toMatchObject({ total: 0 });
  });
});

describe('the lines', () => {
  const list = async (id: string, status: PayrollLineStatus | 'all', search = '') => {
    const batch = await lineScope(test.db, id);
    const filter = { status, search };
    const view = { page: 1, pageSize: 100, ...filter };
    const { items } = await payrollLines.page(test.db, view, batch);
    const { total } = await payrollLines.count(test.db, filter, batch);
    expect(total).toBe(items.length);
    return items;
  };

  it.each([
    ['all', 5, 5],
    ['draft', 0, 3],
    ['processed', 3, 0],
    ['skipped', 2, 2],
    ['failed', 0, 0],
    ['reversed', 0, 0],
  ] as const)('%s are %d of the paid batch and %d of the other', async (status, paid, waiting) => {
    expect(await list(paidId, status)).toHaveLength(paid);
    expect(await list(waitingId, status)).toHaveLength(waiting);
  });

  it('are found by person', async () => {
    const [person] = people;
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM app_user WHERE id = ${person?.id}`.execute(test.db);
    const found = await list(paidId, 'processed', rows[0]?.name ?? '');
    expect(found.map((line) => line.employee.id)).toEqual([person?.id]);
    expect(await list(waitingId, 'processed', rows[0]?.name ?? '')).toEqual([]);
  });
});

it('sums up what was paid, and what is not finished', async () => {
  const stats = await getPayrollStats(test.db, services);
  expect(stats).toMatchObject({ totalEmployees: 5, pendingBatches: 1 });
  expect(BigInt(stats.totalPayroll.minor)).toBe(3n * PAYROLL_AMOUNT_MINOR);
  expect(stats.nextPayroll).toBe(null);
});

it('lists batches by the day on which they are paid, with the sums of each day', async () => {
  const today = dayIn('America/New_York', new Date());
  const schedule = payrollSchedule({ frequency: 'biweekly', firstPayday: addDays(today, 9) });
  const settings = await withTx(test.db, (tx) =>
    updateSettings(tx, services, { actor: admin }, { schedule }),
  );
  const later = paydaysAfter(settings, today, 1)[0]?.on ?? '';
  const asking = await readBatchReader(test.db, admin.id);
  const scheduledId = await confirmPayroll(test.db, admin, { ...services, payOn: later });
  const { items } = await payrollBatches.page(test.db, BATCHES, asking);
  expect(items.map(({ id }) => id)).toEqual([scheduledId, waitingId, paidId]);
  expect(items.map(({ day }) => day)).toEqual([later, today, today]);
  const sums = (changes: Partial<typeof BATCHES> = {}) =>
    sumDays(test.db, { ...BATCHES, from: today, to: later, ...changes });
  const total = money(3n * PAYROLL_AMOUNT_MINOR, 'USD');
  const ofToday = { day: today, isPayday: null, reversed: money(0n, 'USD') };
  expect((await sums()).days).toEqual([
    { ...ofToday, day: later, isPayday: true, batches: 1, total },
    { ...ofToday, batches: 2, total: money(6n * PAYROLL_AMOUNT_MINOR, 'USD') },
  ]);
  expect((await sums({ status: 'completed' })).days).toEqual([{ ...ofToday, batches: 1, total }]);
  expect((await sums({ search: 'nobody' })).days).toEqual([]);
  const line = await test.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', paidId)
    .where('lineNumber', '=', 1)
    .executeTakeFirstOrThrow();
  const why = { reason: 'wrong_amount', message: 'It was too much.' } as const;
  const part = { amount: money(500n, 'USD'), left: money(PAYROLL_AMOUNT_MINOR, 'USD') };
  await withTx(test.db, (tx) =>
    reverseLine(tx, services, { actor: admin }, { ...line, ...part, ...why }),
  );
  expect((await sums({ status: 'completed' })).days).toEqual([
    { ...ofToday, batches: 1, total, reversed: money(500n, 'USD') },
  ]);
  let csv = '';
  for await (const chunk of payrollBatches.csv(test.db, BATCHES, asking)) csv += chunk;
  const [head, ...exported] = csv.trimEnd().split('\r\n');
  expect(head).toMatch(
    /^Pay date,Name,Batch,For,.*,Total,Amount paid,Amount taken back,Sent by,Sent,/,
  );
  expect(exported).toHaveLength(3);
  expect(exported[0]).toMatch(
    new RegExp(`^${later},.*,All departments,Biweekly pay,.*,5760.00,0.00,0.00,`),
  );
  expect(exported[2]).toMatch(new RegExp(`^${today},.*,completed,3,3,5760.00,5755.00,5.00,`));
});
