import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import { bankingDayOnOrAfter, bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { fundAsSeen, retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR, payrollFindings } from '#test/payroll-fixture.ts';
import { payrollActs, retryLine } from '../batch.ts';
import { postPayroll } from '../index.ts';
import { findLastPayroll, paidByLast } from '../last-payroll.ts';
import { lineScope, payrollLines } from '../line-list.ts';
import { nextPayday } from '../next-payday.ts';
import { getPayrollBatch } from '../queries.ts';
import { reverseLine } from '../reverse-line.ts';

const services = { ...createTestServices(), clock: systemClock };
const AMOUNT = money(PAYROLL_AMOUNT_MINOR, 'USD');
let test: TestDb;
let admin: Actor;
let batchId: string;
let failed: { id: string; userId: string; savingsId: string };

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  await setThreshold(null);
  admin = await seedAdmin(test.db);
  await seedEmployees(test.db, { count: 3 });
  batchId = await confirmPayroll(test.db, admin);
  const isOfBatch = sql`id IN (SELECT user_id FROM payroll_line WHERE batch_id = ${batchId} AND line_number < 3)`;
  await sql`UPDATE app_user SET deactivated_at = now() WHERE ${isOfBatch}`.execute(test.db);
  await postPayroll(test.db, services, batchId);
  await sql`UPDATE app_user SET deactivated_at = NULL WHERE ${isOfBatch}`.execute(test.db);
  const line = await test.db
    .selectFrom('payrollLine')
    .select(['id', 'userId'])
    .where('batchId', '=', batchId)
    .where('lineNumber', '=', 1)
    .executeTakeFirstOrThrow();
  const savings = await withTx(test.db, (tx) =>
    openWallet(tx, services, { userId: line.userId, type: 'savings' }),
  );
  failed = { ...line, savingsId: savings.id };
});

const setThreshold = (minor: bigint | null) =>
  sql`UPDATE company_settings SET separate_payroll_minor = ${minor}, payroll_cancel_seconds = 0`.execute(
    test.db,
  );
const pay = (changes: Partial<RouteArguments<'adminFundEmployee'>['body']> = {}) =>
  fundAsSeen(
    test.db,
    services,
    { actor: admin },
    {
      id: failed.userId,
      type: 'custom',
      walletId: failed.savingsId,
      amount: AMOUNT,
      description: 'Biweekly pay',
      paysLine: failed.id,
      ...changes,
    },
  );
const retry = () =>
  withTx(test.db, (tx) => retryLine(tx, services, { actor: admin }, { id: failed.id }));
const retryAll = () =>
  withTx(test.db, (tx) => payrollActs.retryFailed(tx, services, { actor: admin }, { id: batchId }));
async function lineNow() {
  const scope = await lineScope(test.db, batchId);
  const view = { search: '', status: 'all', page: 1, pageSize: 10 } as const;
  const { items } = await payrollLines.page(test.db, view, scope);
  return items.find(({ id }) => id === failed.id);
}
/** CSV of the failed lines. */
async function exported() {
  let csv = '';
  const view = { search: '', status: 'failed' } as const;
  const scope = await lineScope(test.db, batchId);
  for await (const chunk of payrollLines.csv(test.db, view, scope)) csv += chunk;
  return csv;
}
const paidOtherwise = async () => (await getPayrollBatch(test.db, batchId, admin.id)).paidOtherwise;

it('pays a failed line by a funding into another wallet, and never tries the line again', async () => {
  const funding = await pay();
  expect(funding).toMatchObject({ status: 'completed', wallet: { available: AMOUNT } });
  expect(await lineNow()).toMatchObject({
    status: 'failed',
    paidOtherwise: { batchId: funding.id, reference: funding.reference, status: 'completed' },
  });
  expect(await paidOtherwise()).toEqual({ lines: 1, total: AMOUNT });
  expect(await exported()).toMatch(new RegExp(`,1920.00,0.00,0.00,,${funding.reference},`));
  const refused = {
    code: 'payroll_line_paid_otherwise',
    message: `This payment is made by ${funding.reference} already, so it is not tried again.`,
  };
  await expect(retry()).rejects.toMatchObject(refused);
  await expect(pay()).rejects.toMatchObject(refused);
  // The other failed line is tried again, this one is not.
  expect(await retryAll()).toMatchObject({ status: 'processing', failedCount: 1 });
  await postPayroll(test.db, services, batchId);
  expect(await getPayrollBatch(test.db, batchId, admin.id)).toMatchObject({
    status: 'completed',
    paidCount: 2,
    failedCount: 1,
  });
  await expect(retryAll()).rejects.toMatchObject({ code: 'payroll_all_paid_otherwise' });
  expect(await payrollFindings(test.db)).toEqual([]);

  // The database refuses to pay it as well, and its freeing is found.
  const line = sql`UPDATE payroll_line SET status = 'draft', reason = NULL WHERE id = ${failed.id}`;
  await expect(line.execute(test.db)).rejects.toMatchObject({ constraint: 'payroll_line_paid_by' });
  const mark = (by: string | null) =>
    sql`UPDATE payroll_line SET paid_by = ${by} WHERE id = ${failed.id}`.execute(test.db);
  await mark(null);
  expect(await payrollFindings(test.db)).toEqual([
    `payroll-record: has line that it pays in place of , not ${failed.id}`,
  ]);
  await mark(funding.id);
});

it('is retried or paid differently, whoever is first', async () => {
  const results = await Promise.allSettled([pay(), retry()]);
  const isPaidOtherwise = results[0].status === 'fulfilled';
  expectOneWins(
    results,
    isPaidOtherwise ? 'payroll_line_paid_otherwise' : 'payroll_line_wrong_status',
  );
  await postPayroll(test.db, services, batchId);
  const { rows } = await sql<{ paid: string }>`
    SELECT sum(amount_minor)::text AS paid FROM payroll_line
     WHERE user_id = ${failed.userId} AND status = 'processed'`.execute(test.db);
  expect(rows).toEqual([{ paid: String(PAYROLL_AMOUNT_MINOR) }]);
});

it('is free again when the funding that waits for a second administrator is declined', async () => {
  await setThreshold(1n);
  const other = await seedAdmin(test.db, 'Theo Marchetti');
  await seedAdmin(test.db, 'Vera Stone');
  const funding = await pay();
  expect(funding.status).toBe('pending');
  expect(await exported()).toContain(`,${funding.reference} pending,`);
  await expect(retry()).rejects.toMatchObject({ code: 'payroll_line_paid_otherwise' });
  await withTx(test.db, (tx) =>
    payrollActs.decline(tx, services, { actor: other }, { id: funding.id, reason: 'Not so' }),
  );
  expect(await lineNow()).toMatchObject({ status: 'failed', paidOtherwise: null });
  expect(await payrollFindings(test.db)).toEqual([]);
  expect(await retry()).toMatchObject({ status: 'processing' });
});

it('counts in the last payroll and for the next payday what was paid in place of a line', async () => {
  const settings = await readSettings(test.db);
  const now = new Date();
  const today = dayIn(settings.timeZone, now);
  const payday = bankingDayOnOrAfter(addDays(today, 1), 'USD');
  const schedule = payrollSchedule({ frequency: 'biweekly', firstPayday: payday });
  const next = () => nextPayday(test.db, { ...settings, schedule }, { userId: failed.userId, now });
  const order = { walletType: 'salary', department: 'all', on: addDays(today, 30) } as const;
  const last = () => findLastPayroll(test.db, settings, order);
  const paid = async () => {
    const { rows } = await sql<{ userId: string; minor: bigint }>`
      SELECT user_id, minor FROM (${paidByLast(await last())}) AS paid`.execute(test.db);
    return rows.find(({ userId }) => userId === failed.userId)?.minor;
  };
  expect([await paid(), await next()]).toEqual([undefined, payday]);
  await setThreshold(1n);
  const other = await seedAdmin(test.db, 'Theo Marchetti');
  await seedAdmin(test.db, 'Vera Stone');
  const { id } = await pay();
  expect([await paid(), await next()]).toEqual([undefined, payday]);
  await withTx(test.db, (tx) => payrollActs.approve(tx, services, { actor: other }, { id }));
  await postPayroll(test.db, services, id);
  expect(await paid()).toEqual(PAYROLL_AMOUNT_MINOR);
  expect(await next()).toBe(bankingDayOnOrBefore(addDays(payday, 14), 'USD'));

  // A payroll is the last one as long as anything is left of it, also only of such a funding.
  await setThreshold(null);
  const takeBack = (of: string) =>
    withTx(test.db, async (tx) => {
      const lines = await tx
        .selectFrom('payrollLine')
        .select('id')
        .where('batchId', '=', of)
        .where('status', '=', 'processed')
        .execute();
      for (const line of lines) {
        await reverseLine(
          tx,
          services,
          { actor: other },
          {
            id: line.id,
            left: AMOUNT,
            amount: AMOUNT,
            reason: 'wrong_amount',
            message: 'Paid by mistake.',
          },
        );
      }
    });
  await takeBack(batchId);
  expect(await paid()).toEqual(PAYROLL_AMOUNT_MINOR);
  await takeBack(id);
  expect(await paid()).toBe(undefined);
  expect((await last())?.batchIds ?? []).not.toContain(batchId);
});

it('has the person and the amount of the line, which has failed', async () => {
  await expect(pay({ amount: money(1n, 'USD') })).rejects.toMatchObject({ code: 'amount_invalid' });
  const others = await test.db
    .selectFrom('payrollLine')
    .select(['id', 'userId', 'status'])
    .where('batchId', '=', batchId)
    .where('id', '<>', failed.id)
    .execute();
  for (const { id } of others) {
    await expect(pay({ paysLine: id })).rejects.toMatchObject({ code: 'payroll_line_not_found' });
  }
  await retry();
  await postPayroll(test.db, services, batchId);
  await expect(pay()).rejects.toMatchObject({ code: 'payroll_line_wrong_status' });
});
