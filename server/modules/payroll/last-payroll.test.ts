import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { findLastPayroll } from './last-payroll.ts';
import type { Compared } from './last-payroll.ts';

const BIWEEKLY = payrollSchedule({ frequency: 'biweekly', firstPayday: '2026-11-13' });

let test: TestDb;
let admin: Actor;
beforeEach(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: 1 });
  await schedule(BIWEEKLY);
});
afterEach(() => test.close());

const schedule = (to: PayrollSchedule | null) =>
  withTx(test.db, (tx) =>
    updateSettings(
      tx,
      { clock: systemClock },
      { actor: 'system' },
      { schedule: to, payrollCancelSeconds: 0 },
    ),
  );
const at = (iso: string) => ({ clock: { now: () => new Date(iso) } });

/** Sends a payroll at a moment, and pays it. */
async function paid(sentAt: string, payOn?: string): Promise<string> {
  const id = await confirmPayroll(test.db, admin, {
    ...at(sentAt),
    ...(payOn !== undefined && { payOn }),
  });
  await postPayroll(test.db, at('2027-01-31T12:00:00Z'), id);
  return id;
}
const lastOf = async (on: string, department: Compared['department'] = 'all') =>
  findLastPayroll(test.db, await readSettings(test.db), {
    walletType: 'salary',
    department,
    on,
  });

it('counts a payroll without a pay date for the payday near which it was sent', async () => {
  const id = await paid('2026-11-25T15:00:00Z');
  expect(await lastOf('2026-12-11')).toEqual({ on: '2026-11-27', batchIds: [id] });
});

it('compares nothing with what was sent for the same payday', async () => {
  const before = await paid('2026-11-27T15:00:00Z');
  await paid('2026-12-09T15:00:00Z');
  expect(await lastOf('2026-12-11')).toEqual({ on: '2026-11-27', batchIds: [before] });
  expect(await lastOf('2026-12-25')).toMatchObject({ on: '2026-12-11' });
});

it('leaves out a pay date outside the schedule, as long as there is a payday', async () => {
  const bonus = await paid('2026-11-02T15:00:00Z', '2026-12-04');
  expect(await lastOf('2026-12-11')).toEqual({ on: '2026-12-04', batchIds: [bonus] });
  const regular = await paid('2026-11-10T15:00:00Z', '2026-11-27');
  expect(await lastOf('2026-12-11')).toEqual({ on: '2026-11-27', batchIds: [regular] });
});

it('orders by the company’s days, not by when payrolls were sent', async () => {
  await schedule(null);
  const late = await paid('2026-11-02T15:00:00Z', '2026-12-10');
  await paid('2026-12-09T15:00:00Z');
  expect(await lastOf('2026-12-20')).toEqual({ on: '2026-12-10', batchIds: [late] });
  // Ten in the evening of the 10th in New York is the 11th in London.
  const evening = await paid('2026-12-11T03:00:00Z');
  const last = await lastOf('2026-12-20');
  expect(last?.on).toBe('2026-12-10');
  expect(last?.batchIds.toSorted()).toEqual([late, evening].toSorted());
});

/** Makes 300 copies of a payroll to one department, each paid on a later Saturday, which is no payday. */
async function copyToSaturdays(id: string, department: string): Promise<void> {
  await sql`
    INSERT INTO payroll_batch
    SELECT copied.* FROM payroll_batch AS batch, generate_series(0, 299) AS copy,
           jsonb_populate_record(batch, jsonb_build_object(
             'id', gen_random_uuid(), 'number', 'copy ' || copy, 'department', ${department}::text,
             'pay_on', '2023-03-25'::date + 7 * (copy / 2))) AS copied
     WHERE batch.id = ${id}`.execute(test.db);
}

it.each([
  [
    'payrolls outside the schedule',
    payrollSchedule({ ...BIWEEKLY, firstPayday: '2023-03-10' }),
    'all',
  ],
  ['payrolls to another department', null, 'sales'],
])('finds the last payroll behind hundreds of %s', async (_, to, department) => {
  await schedule(to);
  const id = await paid('2023-03-24T15:00:00Z');
  await copyToSaturdays(id, department);
  const last = await lastOf('2026-12-11', 'engineering');
  expect(last).toEqual({ on: '2023-03-24', batchIds: [id] });
});
