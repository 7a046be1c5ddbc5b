import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { hashPassword } from '#server/modules/identity/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { createAdmin, createEmployee, createPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { createEmployeeAccount, createEmployeeAccounts } from './create-employee-account.ts';
import { ensureEmployee } from './ensure-employee.ts';

const services = createTestServices();
const system = { actor: 'system' } as const;
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

/** Counts of the things an employee has. */
async function belongingsOf(userId: string) {
  const { employeeNumber } = await opened.db
    .selectFrom('appUser')
    .select('employeeNumber')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const wallets = await opened.db
    .selectFrom('wallet')
    .select('type')
    .where('userId', '=', userId)
    .execute();
  const applications = await opened.db
    .selectFrom('kycApplication')
    .select('status')
    .where('userId', '=', userId)
    .execute();
  return {
    employeeNumber,
    wallets: wallets.map(({ type }) => type),
    applications: applications.map(({ status }) => status),
  };
}

const complete = {
  employeeNumber: expect.stringMatching(/^[A-Z]+-\d{4}$/),
  wallets: ['salary'],
  applications: ['in_progress'],
};

describe('ensuring an employee', () => {
  test('gives what every employee has, once, also when asked many times concurrently', async () => {
    const { id } = await createPerson(opened.db);
    const ensure = () => withTx(opened.db, (tx) => ensureEmployee(tx, services, id));
    await Promise.all([ensure(), ensure(), ensure(), ensure()]);
    const first = await belongingsOf(id);
    expect(first).toEqual(complete);
    await ensure();
    expect(await belongingsOf(id)).toEqual(first);
  });

  test('gives an admin nothing, and takes nothing from one', async () => {
    const { id } = await createPerson(opened.db, { role: 'admin' });
    await withTx(opened.db, (tx) => ensureEmployee(tx, services, id));
    expect(await belongingsOf(id)).toEqual({
      employeeNumber: null,
      wallets: [],
      applications: [],
    });
    const promoted = await createAdmin(opened.db, services);
    const before = await belongingsOf(promoted.id);
    await withTx(opened.db, (tx) => ensureEmployee(tx, services, promoted.id));
    expect(await belongingsOf(promoted.id)).toEqual(before);
  });

  test('numbers by the company prefix, each number once', async () => {
    await withTx(opened.db, (tx) =>
      updateSettings(tx, services, system, { employeeNumberPrefix: 'TR' }),
    );
    const people = await Promise.all(
      Array.from({ length: 8 }, () => createEmployee(opened.db, services)),
    );
    const numbers = await Promise.all(
      people.map(async ({ id }) => (await belongingsOf(id)).employeeNumber),
    );
    expect(new Set(numbers).size).toBe(8);
    for (const number of numbers) expect(number).toMatch(/^TR-\d{4}$/);
  });
});

describe('email preferences', () => {
  const preferencesOf = (userId: string) =>
    opened.db
      .selectFrom('emailPreference')
      .select(['emailEnabled', 'emailFrequency', 'depositAlerts', 'kycUpdates'])
      .where('userId', '=', userId)
      .executeTakeFirst();

  test('begin as the company starts everybody with, whoever makes the account, and then stay', async () => {
    const early = await createEmployee(opened.db, services);
    await withTx(opened.db, (tx) =>
      updateSettings(tx, services, system, {
        initialEmailFrequency: 'weekly',
        initialKycUpdates: false,
      }),
    );
    const added = await createEmployee(opened.db, services);
    const { id: signedUp } = await createPerson(opened.db);
    await withTx(opened.db, (tx) => ensureEmployee(tx, services, signedUp));
    const weekly = {
      emailEnabled: true,
      emailFrequency: 'weekly',
      depositAlerts: true,
      kycUpdates: false,
    };
    expect(await preferencesOf(added.id)).toEqual(weekly);
    expect(await preferencesOf(signedUp)).toEqual(weekly);

    await withTx(opened.db, (tx) =>
      updateSettings(tx, services, system, { initialEmailFrequency: 'daily' }),
    );
    for (const { id } of [early, added]) {
      await withTx(opened.db, (tx) => ensureEmployee(tx, services, id));
    }
    expect(await preferencesOf(added.id)).toEqual(weekly);
    expect(await preferencesOf(early.id)).toMatchObject({
      emailFrequency: 'immediate',
      kycUpdates: true,
    });
  });

  test('chosen before are not replaced', async () => {
    const { id } = await createPerson(opened.db);
    await opened.db
      .insertInto('emailPreference')
      .values({ userId: id, emailEnabled: false, updatedAt: new Date() })
      .execute();
    await withTx(opened.db, (tx) => ensureEmployee(tx, services, id));
    expect(await preferencesOf(id)).toMatchObject({
      emailEnabled: false,
      emailFrequency: 'immediate',
    });
  });
});

describe('an account made for a person', () => {
  test('is complete, of the time the clock says, and has the given place in the company', async () => {
    const past = createTestServices('2025-12-08T15:00:00.000Z');
    const passwordHash = await hashPassword('Shared-by-many-1');
    const { id } = await withTx(opened.db, (tx) =>
      createEmployeeAccount(tx, past, system, {
        email: ` ${newId()}@PURSER.test `,
        firstName: 'Maya',
        lastName: 'Okafor',
        department: 'engineering',
        position: 'Engineer',
        passwordHash,
      }),
    );
    expect(await belongingsOf(id)).toEqual(complete);
    const user = await opened.db
      .selectFrom('appUser')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({
      email: expect.stringMatching(/^[\da-f-]+@purser\.test$/),
      name: 'Maya Okafor',
      role: 'employee',
      department: 'engineering',
      position: 'Engineer',
      createdAt: past.clock.now(),
    });
  });

  test.each(['not an address', 'a@b..cd'])('refuses the address %s', async (email) => {
    const made = withTx(opened.db, (tx) =>
      createEmployeeAccount(tx, services, system, {
        email,
        firstName: 'A',
        lastName: 'B',
        passwordHash: null,
      }),
    );
    await expect(made).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('refuses an address that has an account, and leaves nothing of the second', async () => {
    const person = await createEmployee(opened.db, services);
    const before = await countUsers();
    const again = createEmployee(opened.db, services, { email: person.email.toUpperCase() });
    await expect(again).rejects.toMatchObject({ code: 'account_exists' });
    expect(await countUsers()).toBe(before);
  });
});

describe('accounts made for many', () => {
  const account = (email: string) => ({
    email,
    firstName: 'Maya',
    lastName: 'Okafor',
    passwordHash: null,
  });

  test('are complete, each by itself; who is refused leaves nothing behind', async () => {
    const taken = await createEmployee(opened.db, services);
    const before = await countUsers();
    const label = newId();
    const addresses = [`a-${label}@x.test`, taken.email, 'no address', `b-${label}@x.test`];
    const created = await withTx(opened.db, (tx) =>
      createEmployeeAccounts(tx, services, system, [
        ...addresses.map(account),
        account(` A-${label}@X.test`),
      ]),
    );
    expect(created.map((one) => ('id' in one ? 'made' : one.refusal.code))).toEqual([
      'made',
      'account_exists',
      'invalid_request',
      'made',
      'account_exists',
    ]);
    const ids = created.flatMap((one) => ('id' in one ? [one.id] : []));
    for (const id of ids) expect(await belongingsOf(id)).toEqual(complete);
    expect(await countUsers()).toBe(before + 2);
    const acts = await opened.db
      .selectFrom('auditEvent')
      .select(['action', 'personId'])
      .where('personId', 'in', ids)
      .execute();
    expect(acts).toHaveLength(2 * 3);
  });

  test('makes none for nobody', async () => {
    expect(
      await withTx(opened.db, (tx) => createEmployeeAccounts(tx, services, system, [])),
    ).toEqual([]);
  });
});

async function countUsers(): Promise<number> {
  return (await opened.db.selectFrom('appUser').select('id').execute()).length;
}
