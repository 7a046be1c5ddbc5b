import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { retryLine } from './batch.ts';
import { postPayroll } from './index.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { getPayrollBatch } from './queries.ts';
import { getPayrollTotals } from './totals.ts';

const services = { clock: systemClock };
let test: TestDb;
let admin: Actor;
let batchId: string;

beforeAll(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: 4 });
  batchId = await confirmPayroll(test.db, admin);
  await leave(2, 4);
  await postPayroll(test.db, services, batchId);
});
afterAll(() => test.close());

/** Deactivates the people of lines. */
async function leave(...numbers: readonly number[]): Promise<void> {
  await sql`UPDATE app_user SET deactivated_at = now() WHERE id IN (
    SELECT user_id FROM payroll_line WHERE line_number = ANY (${numbers}::integer[]))`.execute(
    test.db,
  );
}

const linesOf = async () => {
  const scope = await lineScope(test.db, batchId);
  const view = { search: '', status: 'all', page: 1, pageSize: 10 } as const;
  return (await payrollLines.page(test.db, view, scope)).items;
};
const retry = (id: string) =>
  withTx(test.db, (tx) => retryLine(tx, services, { actor: admin }, { id }));

it('tries one failed line again, which is listed first', async () => {
  const before = await linesOf();
  expect(before.map(({ status }) => status)).toEqual([
    'failed',
    'failed',
    'processed',
    'processed',
  ]);
  await sql`UPDATE app_user SET deactivated_at = NULL`.execute(test.db);
  expect(await retry(before[0]?.id ?? '')).toMatchObject({ status: 'processing', failedCount: 1 });
  await postPayroll(test.db, services, batchId);
  expect(await getPayrollBatch(test.db, batchId, admin.id)).toMatchObject({
    status: 'completed',
    paidCount: 3,
    failedCount: 1,
    failedTotal: { minor: String(PAYROLL_AMOUNT_MINOR) },
  });
  expect((await linesOf()).map(({ status }) => status)).toEqual([
    'failed',
    'processed',
    'processed',
    'processed',
  ]);
  expect(await getPayrollTotals(test.db, batchId)).toMatchObject({
    departments: [{ department: 'engineering', lines: 4, paidCount: 3 }],
  });
});

it('refuses a paid line and one that nobody knows', async () => {
  const paid = (await linesOf()).find(({ status }) => status === 'processed');
  await expect(retry(paid?.id ?? '')).rejects.toMatchObject({ code: 'payroll_line_wrong_status' });
  await expect(retry(newId())).rejects.toMatchObject({ code: 'payroll_line_not_found' });
});
