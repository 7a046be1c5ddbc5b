import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/** Records of requests themselves in the audit trail: exports and refusals. */
let purser: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
});
afterAll(() => purser.close());

const trail = async (...actions: string[]) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'actorId', 'personId', 'details'])
    .where('action', 'in', actions)
    .orderBy('id')
    .execute();
  return rows;
};

describe('an export', () => {
  const path = '/api/admin/withdrawals/export?status=pending&search=Castellanos';

  test('is recorded before its first byte and after its last: who, which list and filter, how many rows', async () => {
    const { db, services } = purser;
    const payee = await createPayee(db, services, { admin: admin.by, lastName: 'Castellanos' });
    await withdrawalIn(db, services, { payee, admin: admin.by, status: 'pending' });
    await withdrawalIn(db, services, { payee, admin: admin.by, status: 'pending' });
    const file = await purser.ask('GET', path, { cookie: await purser.cookieOf(admin) });
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(await trail('export.begun', 'export.ended')).toEqual([
      {
        action: 'export.begun',
        actorId: admin.id,
        personId: null,
        details: {
          operation: 'adminExportWithdrawals',
          person: '',
          status: 'pending',
          urgency: 'all',
          sort: 'queue',
          direction: 'desc',
          isSearched: true,
        },
      },
      {
        action: 'export.ended',
        actorId: admin.id,
        personId: null,
        details: { operation: 'adminExportWithdrawals', rows: 2, isWhole: true },
      },
    ]);
  });

  test('is recorded as broken off', async () => {
    const file = await purser.ask('GET', path, { cookie: await purser.cookieOf(admin) });
    await file.body?.cancel();
    expect((await trail('export.ended')).at(-1)?.details).toMatchObject({ isWhole: false });
  });
});

describe('repeated refusals', () => {
  const often = 12;
  const repeat = async (work: (count: number) => Promise<unknown>) => {
    for (let count = 0; count < often; count += 1) await work(count);
  };

  test('a confirmation that is needed is recorded once, and then by its number', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const cookie = await purser.cookieOf(person, { isConfirmed: false });
    await repeat(() => purser.ask('GET', '/api/history/export', { cookie }));
    const rows = await trail('confirmation.needed');
    expect(rows.filter(({ actorId }) => actorId === person.id).map((row) => row.details)).toEqual([
      { operation: 'exportHistory' },
      { operation: 'exportHistory', times: 10 },
    ]);
  });

  test('so is an origin, whatever it says it is', async () => {
    await repeat((count) =>
      purser.ask('POST', '/api/auth/sign-in', {
        headers: { origin: `https://evil-${count}.example` },
        body: {},
      }),
    );
    expect((await trail('origin.refused')).map(({ details }) => details)).toEqual([
      { origin: 'https://evil-0.example' },
      { origin: 'https://evil-9.example', times: 10 },
    ]);
  });

  test('so is a sign-in, of a person and of an address that nobody has', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const signIn = (email: string) =>
      purser.ask('POST', '/api/auth/sign-in', { body: { email, password: 'Wrong-purser-1' } });
    for (let count = 0; count < 10; count += 1) await signIn(person.email);
    for (const name of ['nobody', 'no-one']) await signIn(`${name}@purser.test`);
    const once = { reason: 'invalid_credentials' };
    expect((await trail('session.refused')).map((row) => [row.personId, row.details])).toEqual([
      [person.id, once],
      [person.id, { ...once, times: 10 }],
      [null, once],
    ]);
  });
});
