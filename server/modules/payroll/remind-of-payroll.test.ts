import { afterEach, beforeEach, expect, it } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import { findDuePayroll, nextPayrollDay } from './due-payroll.ts';
import { remindOfPayroll } from './remind-of-payroll.ts';

const services = createTestServices();
let test: TestDb;
let admin: Actor;
beforeEach(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  await schedule(payrollSchedule({ frequency: 'weekly' }));
});
afterEach(() => test.close());

const schedule = (to: PayrollSchedule | null) =>
  withTx(test.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { schedule: to }));
/** Reminds at noon in New York of that day. */
function remindOn(day: string): Promise<boolean> {
  services.clock.set(`${day}T17:00:00.000Z`);
  return remindOfPayroll(test.db, services);
}
const due = async () => findDuePayroll(test.db, await readSettings(test.db), services.clock.now());
const reminders = () => noticesOf(test.db, admin.id, 'payroll-due');
/** As though a payroll had been sent at that moment. */
async function sentAt(at: string): Promise<string> {
  await seedEmployees(test.db, { count: 2 });
  const id = await confirmPayroll(test.db, admin);
  await change(id, { created_at: at });
  return id;
}
/** Changes of a batch what never changes. */
async function change(id: string, columns: Readonly<Record<string, string>>): Promise<void> {
  await withClient(test.superuserUrl, async (client) => {
    await client.query('ALTER TABLE payroll_batch DISABLE TRIGGER USER');
    for (const [column, value] of Object.entries(columns)) {
      await client.query(`UPDATE payroll_batch SET ${column} = $1 WHERE id = $2`, [value, id]);
    }
  });
}

it('reminds of a payday three days before it, once for each', async () => {
  // The next Friday is the 11th.
  expect(await remindOn('2026-12-07')).toBe(false);
  expect(await due()).toBe(null);
  expect(await remindOn('2026-12-08')).toBe(true);
  expect(await remindOn('2026-12-09')).toBe(false);
  // On the day itself it is still due.
  expect(await remindOn('2026-12-11')).toBe(false);
  expect(await due()).toEqual({ on: '2026-12-11', orders: [], prepared: [] });
  expect(await remindOn('2026-12-12')).toBe(false);
  expect(await due()).toBe(null);
  expect(await remindOn('2026-12-17')).toBe(true);
  expect(await reminders()).toEqual([
    'Payroll is due on 12/11/2026 and has not been sent yet.',
    'Payroll is due on 12/18/2026 and has not been sent yet.',
  ]);
});

it('counts days in the time zone of the company', async () => {
  // The 7th in New York, the 8th in London.
  services.clock.set('2026-12-08T04:30:00.000Z');
  expect(await remindOfPayroll(test.db, services)).toBe(false);
  services.clock.set('2026-12-08T05:30:00.000Z');
  expect(await remindOfPayroll(test.db, services)).toBe(true);
});

it('reminds once when two processes do at the same moment', async () => {
  services.clock.set('2026-12-08T17:00:00.000Z');
  const both = await Promise.all([1, 2].map(() => remindOfPayroll(test.db, services)));
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await reminders()).toHaveLength(1);
});

it('reminds of nothing without a schedule, and of the new day of another one', async () => {
  await schedule(null);
  expect(await remindOn('2026-12-08')).toBe(false);
  await schedule(payrollSchedule({ frequency: 'monthly', day: '15' }));
  expect(await remindOn('2026-12-12')).toBe(true);
  expect(await due()).toMatchObject({ on: '2026-12-15' });
});

it('proposes what was paid last, and is quiet once that was sent for the payday', async () => {
  const order = {
    walletType: 'salary',
    department: 'all',
    amount: { minor: '192000', currency: 'USD' },
    description: 'Biweekly pay',
  };
  await sentAt('2026-12-04T17:00:00.000Z');
  expect(await remindOn('2026-12-08')).toBe(true);
  expect(await due()).toEqual({
    on: '2026-12-11',
    prepared: [],
    orders: [{ ...order, isSent: false }],
  });
  expect(await reminders()).toEqual([
    expect.stringContaining('You can fill the form with the last payroll'),
  ]);

  const next = await sentAt('2026-12-09T17:00:00.000Z');
  expect(await due()).toBe(null);
  // One that was declined counts for no payday.
  await change(next, { status: 'draft' });
  expect(await due()).toMatchObject({ orders: [{ isSent: false }] });
});

it('shows the next payday until all that is usually paid was sent for it', async () => {
  await sentAt('2026-12-04T17:00:00.000Z');
  const next = async () => {
    return nextPayrollDay(test.db, await readSettings(test.db), services.clock.now());
  };
  services.clock.set('2026-12-11T17:00:00.000Z');
  expect(await next()).toBe('2026-12-11');
  await sentAt('2026-12-11T16:00:00.000Z');
  expect(await next()).toBe('2026-12-18');
  services.clock.set('2026-12-12T17:00:00.000Z');
  expect(await next()).toBe('2026-12-18');
  await schedule(null);
  expect(await next()).toBe(null);
});

it('counts a payroll to all departments for each of them', async () => {
  const toOne = await sentAt('2026-12-04T17:00:00.000Z');
  await change(toOne, { department: 'general' });
  await sentAt('2026-12-09T17:00:00.000Z');
  services.clock.set('2026-12-09T18:00:00.000Z');
  expect(await due()).toBe(null);
});

it('stays while a part of what is usually paid was not sent, and reminds of it no more', async () => {
  const toSavings = await sentAt('2026-12-04T17:00:00.000Z');
  await change(toSavings, { wallet_type: 'savings' });
  await sentAt('2026-12-08T15:00:00.000Z');
  expect(await remindOn('2026-12-08')).toBe(false);
  expect(await due()).toMatchObject({
    orders: [
      { walletType: 'salary', isSent: true },
      { walletType: 'savings', isSent: false },
    ],
  });
  // A payroll of long ago is no proposal.
  await change(toSavings, { created_at: '2026-10-01T17:00:00.000Z' });
  expect(await due()).toBe(null);
});

it.each<[string, PayrollSchedule, string, string, string]>([
  ['weekly', payrollSchedule({ frequency: 'weekly' }), '2026-12-11', '2026-12-07', '2026-12-06'],
  [
    'biweekly',
    payrollSchedule({ frequency: 'biweekly', firstPayday: '2026-01-09' }),
    '2026-12-11',
    '2026-12-04',
    '2026-12-03',
  ],
  [
    'monthly',
    payrollSchedule({ frequency: 'monthly', day: '15' }),
    '2026-12-15',
    '2026-11-29',
    '2026-11-28',
  ],
])('counts what was sent early: %s', async (_what, plan, payday, early, before) => {
  await schedule(plan);
  services.clock.set(`${payday}T17:00:00.000Z`);
  const id = await sentAt(`${early}T12:00:00.000Z`);
  expect(await due()).toBe(null);
  await change(id, { created_at: `${before}T12:00:00.000Z` });
  expect(await due()).toMatchObject({ on: payday, orders: [{ isSent: false }] });
});
