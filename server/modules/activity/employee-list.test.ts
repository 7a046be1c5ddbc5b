import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstView } from '#contract/list.ts';
import type { AddressOf } from '#contract/list.ts';
import { employeeList } from '#contract/lists.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createEmployeeAccount } from '#server/modules/employees/index.ts';
import { deactivatePerson } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { holdFunds, lockWallet, openWallet } from '#server/modules/wallets/index.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createEmployee, createPerson } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { employees } from './employee-list.ts';

const services = createTestServices();
let opened: TestDb;
let grace: TestPerson;
beforeAll(async () => {
  opened = await openTestDb();
  const { db } = opened;
  const admin = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  grace = await createEmployee(db, services, {
    firstName: 'Grace',
    lastName: 'Achieng',
    department: 'customer-support',
    email: 'grace@tallis.test',
  });
  const salary = await fundedWallet(db, services, grace.by, 279_208n);
  await withTx(db, async (tx) => {
    const wallet = await lockWallet(tx, { walletId: salary.id, userId: grace.id });
    const held = { id: newId(), amountMinor: 79_208n, reference: 'HOLD-1' };
    await holdFunds(tx, wallet, { ...held, currency: 'USD' });
  });
  await withTx(db, (tx) => openWallet(tx, services, { userId: grace.id, type: 'savings' }));
  await approveIdentity(db, services, grace.by, admin.by);
  const colm = await createEmployee(db, services, {
    firstName: 'Colm',
    lastName: 'Brennan',
    department: 'engineering',
    email: 'colm@tallis.test',
  });
  await withTx(db, (tx) =>
    deactivatePerson(tx, services, admin.by, { id: colm.id, reason: 'Left the company' }),
  );
  await withTx(db, (tx) =>
    createEmployeeAccount(tx, services, admin.by, {
      firstName: 'Beatriz',
      lastName: 'Lima',
      email: 'beatriz@tallis.test',
      department: 'data-entry',
      passwordHash: null,
    }),
  );
  await db
    .updateTable('appUser')
    .set({ payoutsFrozenAt: new Date('2026-12-08T15:00:00Z') })
    .where('email', '=', 'beatriz@tallis.test')
    .execute();
  for (const [hour, firstName] of ['Wilma', 'Abel'].entries()) {
    const createdAt = new Date(`2026-12-08T1${hour}:00:00Z`);
    const email = `${firstName}@tallis.test`.toLowerCase();
    const { id } = await createPerson(db, { firstName, lastName: 'Waits', createdAt, email });
    await db.updateTable('appUser').set({ acceptedAt: null }).where('id', '=', id).execute();
  }
});
afterAll(() => opened.close());

type View = AddressOf<typeof employeeList>;
const list = async (changes: Partial<View> = {}) => {
  const query = { ...firstView(employeeList), pageSize: 15, ...changes };
  const settings = await readSettings(opened.db);
  const { items } = await employees.page(opened.db, query, settings);
  const { total } = await employees.count(opened.db, query, settings);
  expect(total).toBe(items.length);
  return items;
};
const names = async (changes: Partial<View> = {}) =>
  (await list(changes)).map(({ name }) => name.split(' ')[0]);

describe('the directory', () => {
  test('has employees and applicants by name, and no admin', async () => {
    expect(await names()).toEqual(['Abel', 'Beatriz', 'Colm', 'Grace', 'Wilma']);
    expect(await names({ sort: 'employee', direction: 'desc' })).toEqual([
      'Wilma',
      'Grace',
      'Colm',
      'Beatriz',
      'Abel',
    ]);
    expect(await names({ sort: 'department', direction: 'asc' })).toEqual([
      'Grace',
      'Beatriz',
      'Colm',
      'Abel',
      'Wilma',
    ]);
  });

  test('says of each what an admin asks first', async () => {
    expect(await list({ search: 'grace' })).toEqual([
      {
        role: 'employee',
        id: grace.id,
        name: 'Grace Achieng',
        email: 'grace@tallis.test',
        avatarUrl: null,
        employeeId: expect.stringMatching(/^EMP-\d{4}$/),
        department: 'customer-support',
        position: 'Employee',
        standing: 'active',
        balance: { minor: '279208', currency: 'USD' },
        available: { minor: '200000', currency: 'USD' },
        account: { name: 'Salary Wallet', last4: expect.stringMatching(/^\d{4}$/) },
        furtherAccounts: 1,
        kycStatus: 'approved',
      },
    ]);
    expect(await list({ search: 'wilma' })).toMatchObject([
      { employeeId: null, standing: 'applicant', account: null, kycStatus: null },
    ]);
  });

  test.each<[Partial<View>, string[]]>([
    [{ department: 'engineering' }, ['Colm']],
    [{ department: 'general' }, ['Abel', 'Wilma']],
    [{ kyc: 'approved' }, ['Grace']],
    // Beatriz has never signed in, and so began nothing.
    [{ kyc: 'in_progress' }, ['Colm']],
    [{ kyc: 'rejected' }, []],
    [{ standing: 'active' }, ['Grace']],
    [{ standing: 'invited' }, ['Beatriz']],
    [{ standing: 'deactivated' }, ['Colm']],
    // The person who has waited longest comes first.
    [{ standing: 'applicant' }, ['Wilma', 'Abel']],
    [{ standing: 'applicant', sort: 'employee', direction: 'asc' }, ['Abel', 'Wilma']],
    [{ standing: 'deactivated', department: 'general' }, []],
    [{ standing: 'frozen' }, ['Beatriz']],
    [{ standing: 'usual_pay' }, []],
  ])('filtered by %j', async (view, found) => {
    expect(await names(view)).toEqual(found);
  });

  test.each([
    ['GRACE ACH', ['Grace']],
    ['achieng', ['Grace']],
    ['beatriz@', ['Beatriz']],
    ['Customer support', ['Grace']],
    ['entry', ['Beatriz']],
    ['tallis.test', ['Abel', 'Beatriz', 'Colm', 'Grace', 'Wilma']],
    ['%', []],
    ['nobody', []],
  ])('finds %s', async (search, found) => {
    expect(await names({ search })).toEqual(found);
  });

  test('says nothing of the identity of people who never signed in', async () => {
    expect(await list({ search: 'beatriz@' })).toMatchObject([
      { standing: 'invited', kycStatus: null },
    ]);
  });

  test('has a rejected identity until another application is begun', async () => {
    const person = await createPerson(opened.db, { firstName: 'Chidi', lastName: 'Eze' });
    await opened.db
      .insertInto('authAccount')
      .values({ userId: person.id, password: 'a hash' })
      .execute();
    const apply = (application: object) =>
      opened.db
        .insertInto('kycApplication')
        .values({ id: newId(), userId: person.id, ...application })
        .execute();
    const at = new Date();
    await apply({
      status: 'rejected',
      answersEncrypted: Buffer.of(1),
      submittedAt: at,
      decidedAt: at,
      decidedBy: grace.id,
    });
    expect(await list({ kyc: 'rejected' })).toMatchObject([{ name: person.name }]);
    await apply({ status: 'in_progress' });
    expect(await names({ kyc: 'rejected' })).toEqual([]);
    expect(await list({ search: 'chidi' })).toMatchObject([{ kycStatus: 'in_progress' }]);
  });

  test('is exported as it is filtered', async () => {
    const settings = await readSettings(opened.db);
    const view = { ...firstView(employeeList), department: 'customer-support' as const };
    let text = '';
    for await (const chunk of employees.csv(opened.db, view, settings)) text += chunk;
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe(
      'Employee,Employee ID,Email,Department,Position,Status,KYC Status,Balance,Available',
    );
    expect(lines).toEqual([
      expect.stringMatching(
        /^Grace Achieng,EMP-\d{4},grace@tallis\.test,Customer support,Employee,active,approved,2792\.08,2000\.00$/,
      ),
      '',
    ]);
  });
});
