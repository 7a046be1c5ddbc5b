import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayrollLineStatus } from '#contract/payroll.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { readBatchReader } from './approval.ts';
import type { BatchReader } from './approval.ts';
import { payrollBatches } from './batch-list.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { getPayrollStats } from './queries.ts';

const services = { clock: systemClock };
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
  const list = async (changes: { status?: 'completed' | 'draft'; search?: string } = {}) => {
    const filter = { status: 'all', search: '', ...changes } as const;
    const { items } = await payrollBatches.page(
      test.db,
      { page: 1, pageSize: 10, ...filter },
      asking,
    );
    const { total } = await payrollBatches.count(test.db, filter, asking);
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
      payrollBatches.page(
        test.db,
        { page: number, pageSize: 1, status: 'all', search: '' },
        asking,
      );
    expect([(await page(1)).hasMore, (await page(2)).hasMore]).toEqual([true, false]);
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
