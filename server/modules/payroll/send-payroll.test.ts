import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { previewPayroll, sendPayroll } from './index.ts';
import { lineScope, payrollLines } from './line-list.ts';

const services = { clock: { now: () => new Date('2026-12-08T14:14:02Z') } };
const order = {
  walletType: 'salary' as const,
  department: 'all' as const,
  amount: money(192_000n, 'USD'),
  description: 'Biweekly pay, Nov 23 – Dec 6',
};

let test: TestDb;
let admin: Actor;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await sql`DELETE FROM outbox`.execute(test.db);
  // Nobody of the test before is in the directory.
  await retireEverybody(test.db);
  admin = await seedAdmin(test.db);
});

const preview = (changes: Partial<Parameters<typeof previewPayroll>[3]> = {}) =>
  previewPayroll(test.db, services, { actor: admin }, { ...order, ...changes });
const send = (previewHash: string, changes: Partial<Parameters<typeof previewPayroll>[3]> = {}) =>
  withTx(test.db, (tx) =>
    sendPayroll(tx, services, { actor: admin }, { ...order, ...changes, previewHash }),
  );
const batchCount = async () => {
  const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM payroll_batch`.execute(
    test.db,
  );
  return rows[0]?.count;
};

describe('a preview', () => {
  it('says who is paid, who is skipped and why, and the total', async () => {
    await seedEmployees(test.db, { count: 3 });
    await seedEmployees(test.db, { count: 2, walletType: null });
    await seedEmployees(test.db, { count: 1, department: 'hr' });

    const reply = await preview({ department: 'engineering' });
    expect(reply).toMatchObject({
      batchName: 'Salary Wallet - 12/8/2026',
      payPeriod: 'December 2026',
      employeeCount: 5,
      payableCount: 3,
      skippedCount: 2,
      total: money(576_000n, 'USD'),
    });
    expect(reply.payable.map((line) => line.amount)).toEqual(Array(3).fill(money(192_000n, 'USD')));
    expect(reply.skipped.map((line) => line.reason)).toEqual(['no_wallet', 'no_wallet']);
    expect((await preview()).employeeCount).toBe(6);
  });

  it('names a reason for everyone who is not paid and was with the company in the pay period', async () => {
    await seedEmployees(test.db, { count: 2 });
    const [closed, gone, left, longGone] = await seedEmployees(test.db, { count: 4 });
    await seedEmployees(test.db, { count: 1, walletType: null });
    const [applicant] = await seedEmployees(test.db, { count: 1, walletType: null });
    await sql`UPDATE wallet SET closed_at = now() WHERE id = ${closed?.walletId}`.execute(test.db);
    await sql`
      UPDATE app_user SET deactivated_at = ${services.clock.now()}
       WHERE id IN (${gone?.id}, ${left?.id})`.execute(test.db);
    await sql`
      UPDATE app_user SET deactivated_at = '2026-10-31T12:00:00Z' WHERE id = ${longGone?.id}`.execute(
      test.db,
    );
    await sql`UPDATE app_user SET accepted_at = NULL WHERE id = ${applicant?.id}`.execute(test.db);

    const reply = await preview();
    const reasons = ['applicant', 'employee_inactive', 'employee_inactive', 'no_wallet'];
    expect(reply.skipped.map(({ reason }) => reason).toSorted()).toEqual([
      ...reasons,
      'wallet_closed',
    ]);
    expect(reply.skipped.slice(-2).map(({ reason }) => reason)).toEqual([
      'employee_inactive',
      'employee_inactive',
    ]);
    expect(reply.skippedReasons[0]).toEqual({ reason: 'employee_inactive', count: 2 });
    expect(reply).toMatchObject({ payableCount: 2, skippedCount: 5, employeeCount: 4 });
    const directory = await test.db
      .selectFrom('appUser')
      .select(({ fn }) => fn.countAll<bigint>().as('total'))
      .where('isEmployee', '=', true)
      .where('id', '<>', longGone?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(BigInt(reply.payableCount + reply.skippedCount)).toBe(directory.total);

    const { id } = await send(reply.hash);
    const lines = await test.db
      .selectFrom('payrollLine')
      .select(['status', 'reason'])
      .where('batchId', '=', id)
      .execute();
    expect(BigInt(lines.length)).toBe(directory.total);
    expect(lines.filter(({ reason }) => reason === 'employee_inactive')).toHaveLength(2);
  });

  it('lists the first hundred of each and counts everybody', async () => {
    await seedEmployees(test.db, { count: 130 });
    await seedEmployees(test.db, { count: 110, walletType: null });
    const reply = await preview();
    expect([reply.payable.length, reply.skipped.length]).toEqual([100, 100]);
    expect([reply.payableCount, reply.skippedCount]).toEqual([130, 110]);
  });

  it('refuses an order that would pay nobody', async () => {
    await expect(preview()).rejects.toMatchObject({
      code: 'no_employees_in_department',
      message: 'No employees found for selected department',
    });
    await seedEmployees(test.db, { count: 1, walletType: null });
    await expect(preview({ walletType: 'retirement' })).rejects.toMatchObject({
      code: 'no_wallets_of_type',
      message: 'No employees have Retirement (IRA) accounts',
    });
  });

  it('refuses another currency, and more than the company lets a payroll pay', async () => {
    await seedEmployees(test.db, { count: 1_001 });
    await expect(preview({ amount: money(1n, 'EUR') })).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    // 50,000.00 to each, 50,000,000.00 in all unless the company sets others.
    await expect(preview({ amount: money(5_000_001n, 'USD') })).rejects.toMatchObject({
      code: 'payroll_line_limit',
      message: 'A payroll may pay at most $50,000.00 to each employee.',
    });
    await expect(preview({ amount: money(5_000_000n, 'USD') })).rejects.toMatchObject({
      code: 'payroll_batch_limit',
      message: 'This payroll pays $50,050,000.00. A payroll may pay at most $50,000,000.00 in all.',
    });
    const before = await batchCount();
    await expect(send('0'.repeat(64), { amount: money(5_000_001n, 'USD') })).rejects.toMatchObject({
      code: 'payroll_line_limit',
    });
    expect(await batchCount()).toBe(before);
  });
});

describe('confirming', () => {
  it('makes the batch and the lines that were previewed', async () => {
    await seedEmployees(test.db, { count: 3 });
    await seedEmployees(test.db, { count: 1, walletType: null });
    const reviewed = await preview();
    const batch = await send(reviewed.hash);

    expect(batch).toMatchObject({
      name: reviewed.batchName,
      status: 'processing',
      employees: 3,
      paidCount: 0,
      skippedCount: 1,
      total: reviewed.total,
      createdBy: 'Renee Albright',
    });
    expect(batch.number).toMatch(/^\d{4}$/);
    const view = { page: 1, pageSize: 10, status: 'all', search: '' } as const;
    const lines = await payrollLines.page(test.db, view, await lineScope(test.db, batch.id));
    expect(
      lines.items.map(({ employee, status, reason }) => [employee.id, status, reason]),
    ).toEqual([
      ...reviewed.payable.map((line) => [line.employee.id, 'draft', null]),
      ...reviewed.skipped.map((line) => [line.employee.id, 'skipped', 'no_wallet']),
    ]);
    const { rows } = await sql<{ kind: string; topic: string; payload: unknown }>`
      SELECT kind, topic, payload FROM outbox ORDER BY id`.execute(test.db);
    expect(rows).toEqual([
      { kind: 'job', topic: 'post-payroll', payload: { batchId: batch.id } },
      { kind: 'event', topic: 'payroll', payload: {} },
    ]);
  });

  it('waits as pending while the company lets it be cancelled', async () => {
    await seedEmployees(test.db, { count: 1 });
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 60`.execute(test.db);
    const batch = await send((await preview()).hash);
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(test.db);
    expect(batch.status).toBe('pending');
    expect(batch.history.map((step) => step.status)).toEqual(['draft', 'pending']);
  });

  it.each([
    ['a person joined', () => seedEmployees(test.db, { count: 1 })],
    [
      'a person left',
      () =>
        sql`UPDATE app_user SET deactivated_at = now() WHERE id = (
              SELECT id FROM app_user WHERE role = 'employee' AND deactivated_at IS NULL LIMIT 1)`.execute(
          test.db,
        ),
    ],
    [
      'a wallet closed',
      () =>
        sql`UPDATE wallet SET closed_at = now() WHERE id = (
              SELECT wallet.id FROM wallet JOIN app_user ON app_user.id = user_id
               WHERE deactivated_at IS NULL LIMIT 1)`.execute(test.db),
    ],
  ])('is refused when %s since the preview', async (_what, change) => {
    await seedEmployees(test.db, { count: 3 });
    const reviewed = await preview();
    await change();
    const before = await batchCount();
    await expect(send(reviewed.hash)).rejects.toMatchObject({
      code: 'preview_stale',
      details: {},
      message:
        'The employees, their accounts or the payrolls sent changed since the preview. Please review it again.',
    });
    expect(await batchCount()).toBe(before);
  });

  it.each([
    ['amount', { amount: money(192_001n, 'USD') }],
    ['description', { description: 'Something else' }],
    ['department', { department: 'engineering' as const }],
  ])('is refused with another %s than was reviewed', async (_what, changes) => {
    await seedEmployees(test.db, { count: 3 });
    const reviewed = await preview();
    await expect(send(reviewed.hash, changes)).rejects.toMatchObject({ code: 'preview_stale' });
  });

  it('says first that nobody is left to pay', async () => {
    await seedEmployees(test.db, { count: 1 });
    const { hash } = await preview();
    await sql`UPDATE wallet SET closed_at = now()`.execute(test.db);
    await expect(send(hash)).rejects.toMatchObject({
      message: 'No employees have Salary Wallet accounts',
    });
    await retireEverybody(test.db);
    await expect(send(hash)).rejects.toMatchObject({ code: 'no_employees_in_department' });
  });
});
