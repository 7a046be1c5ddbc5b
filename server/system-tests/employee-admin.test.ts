import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { fundingAccounts, postPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee, createEmployeeAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

const NAME = { firstName: 'Maya', lastName: 'Castellanos' };

let purser: TestApp;
/** An administrator who never was an employee. */
let renee: TestPerson;
/** An employee who became an administrator. */
let maya: TestPerson;
const cookies = { renee: '', maya: '', sam: '' };
beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await db.updateTable('companySettings').set({ mailingAddress: '1 Main Street' }).execute();
  renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  maya = await createEmployeeAdmin(db, services, { ...NAME, department: 'hr' });
  const sam = await createEmployee(db, services, { department: 'hr', firstName: 'Sam' });
  cookies.renee = await purser.cookieOf(renee);
  cookies.maya = await purser.cookieOf(maya);
  cookies.sam = await purser.cookieOf(sam);
});
afterAll(() => purser.close());

async function ask(who: keyof typeof cookies, method: string, path: string, body?: object) {
  const key = crypto.randomUUID();
  const request = { cookie: cookies[who], key, ...(body !== undefined && { body }) };
  const reply = await purser.ask(method, path, request);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}
const bodyOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body;
const mayasWallet = async () => {
  const { accounts } = await bodyOf('maya', 'GET', '/api/wallets');
  const [wallet] = accounts as { id: string; available: unknown }[];
  return wallet ?? { id: '', available: null };
};

describe('an administrator who was an employee', () => {
  test('stays one: in the directory and in every count', async () => {
    const { items } = await bodyOf('renee', 'GET', '/api/admin/employees?search=Castellanos');
    expect(items).toEqual([expect.objectContaining({ id: maya.id })]);
    const dashboard = await bodyOf('renee', 'GET', '/api/admin/dashboard');
    const stats = await bodyOf('renee', 'GET', '/api/admin/payroll/stats');
    expect([dashboard['totalEmployees'], stats['totalEmployees']]).toEqual([2, 2]);
    expect(await bodyOf('renee', 'GET', '/api/admin/funding/stats')).toMatchObject({
      employees: 2,
    });
  });

  test('has both areas, with their number and application', async () => {
    const { user, kycStatus } = (await bodyOf('maya', 'GET', '/api/session')) as unknown as Session;
    expect(user).toMatchObject({ role: 'admin', isEmployee: true });
    expect([user?.employeeId, kycStatus]).toEqual([expect.any(String), 'in_progress']);
    expect((await ask('maya', 'GET', '/api/admin/dashboard')).status).toBe(200);
    expect((await ask('maya', 'GET', '/api/wallets')).status).toBe(200);
  });

  test('is paid by a payroll that they send themselves, as everybody is', async () => {
    const order = {
      walletType: 'salary',
      department: 'hr',
      amount: money(192_000n, 'USD'),
      description: 'Pay',
    };
    const { hash } = await bodyOf('maya', 'POST', '/api/admin/payroll/preview', order);
    const body = { ...order, previewHash: hash };
    const batch = await bodyOf('maya', 'POST', '/api/admin/payroll/batches', body);
    expect(batch).toMatchObject({ employees: 2 });
    await postPayroll(purser.db, purser.services, String(batch['id']));
    expect((await mayasWallet()).available).toEqual(money(192_000n, 'USD'));
  });

  test('decides nothing of their own: no funding, no deposit', async () => {
    const walletId = (await mayasWallet()).id;
    const bonus = { type: 'bonus', walletId, amount: money(500n, 'USD'), description: '' };
    const fund = `/api/admin/funding/employees/${maya.id}`;
    expect(await bodyOf('maya', 'POST', fund, bonus)).toMatchObject({ code: 'own_request' });
    // Payroll has paid them in this pay period, which whoever funds them has to have seen.
    expect(await bodyOf('renee', 'POST', fund, bonus)).toMatchObject({ code: 'already_paid' });
    const { paid } = await fundingAccounts(purser.db, purser.services, maya.id);
    const seen = { ...bonus, alreadyPaidHash: paid?.hash };
    expect((await ask('renee', 'POST', fund, seen)).status).toBe(201);
    const deposit = { walletId, method: 'physical_check', amount: money(500n, 'USD') };
    const asked = await ask('maya', 'POST', '/api/deposits', deposit);
    expect(asked.status, JSON.stringify(asked.body)).toBe(201);
    const approve = `/api/admin/deposits/${String(asked.body['id'])}/approve`;
    expect(await bodyOf('maya', 'POST', approve)).toMatchObject({ code: 'own_request' });
    expect((await ask('renee', 'POST', approve)).status).toBe(200);
  });

  test('is found by colleagues who pay them', async () => {
    const asked = await bodyOf('sam', 'POST', '/api/payments/recipient', { email: maya.email });
    expect(asked['code']).not.toBe('recipient_not_found');
  });
});

test('an administrator who never was an employee has no employee area and is not paid', async () => {
  expect(await bodyOf('renee', 'GET', '/api/session')).toMatchObject({
    user: { role: 'admin', isEmployee: false, employeeId: null },
    kycStatus: null,
  });
  expect((await ask('renee', 'GET', '/api/wallets')).status).toBe(403);
  const { items } = await bodyOf('renee', 'GET', '/api/admin/employees?search=Albright');
  expect(items).toEqual([]);
  expect((await ask('sam', 'GET', '/api/admin/dashboard')).status).toBe(403);
});
