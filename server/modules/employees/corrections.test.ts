import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ApplicationReview,
  EmployeePage,
  KycApplication,
  RouteReply,
  Session,
} from '#contract/api.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { approveIdentity, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';

let purser: TestApp;
let admin: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services, { firstName: 'Renee' });
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());

const MAYA = { firstName: 'Maya', lastName: 'Castellanos' };
const employee = (names = MAYA) => createEmployee(purser.db, purser.services, names);

interface Asked<Reply> {
  status: number;
  reply: Reply;
}

const ask = async <Reply>(
  method: string,
  path: string,
  body?: object,
  as = cookie,
): Promise<Asked<Reply>> => {
  const reply = await purser.ask(method, path, { cookie: as, ...(body && { body }) });
  return { status: reply.status, reply: (await reply.json()) as Reply };
};

const correctName = (id: string, names: object, seen: object = MAYA, as = cookie) =>
  ask<RouteReply<'adminCorrectName'> & { code?: string }>(
    'POST',
    `/api/admin/people/${id}/correct-name`,
    { reason: 'Misspelt in the contract', ...names, seen },
    as,
  );

const auditOf = async (personId: string, action: string) =>
  (
    await purser.db
      .selectFrom('auditEvent')
      .select('details')
      .where('personId', '=', personId)
      .where('action', '=', action)
      .execute()
  ).map(({ details }) => details);

describe('a corrected name', () => {
  test('is everywhere immediately; both names are in the audit trail and with their owner', async () => {
    const person = await employee();
    const own = await purser.cookieOf(person);
    expect(await correctName(person.id, { firstName: 'María', lastName: 'Castellanos' })).toEqual({
      status: 200,
      reply: { isIdentityReopened: false },
    });
    const page = await ask<EmployeePage>('GET', `/api/admin/employees/${person.id}`);
    expect(page.reply).toMatchObject({ name: 'María Castellanos', firstName: 'María' });
    const session = await ask<Session>('GET', '/api/session', undefined, own);
    expect(session.reply.user).toMatchObject({ firstName: 'María', lastName: 'Castellanos' });
    expect(await auditOf(person.id, 'person.name_corrected')).toEqual([
      {
        fields: ['name'],
        before: ['Maya Castellanos'],
        after: ['María Castellanos'],
        reason: 'Misspelt in the contract',
        isIdentityReopened: false,
      },
    ]);
    expect(await noticesOf(purser.db, person.id, 'name-corrected')).toEqual([
      'An administrator corrected your name from Maya Castellanos to María Castellanos. Reason: Misspelt in the contract. If this is wrong, contact your administrator.',
    ]);
    const mine = await ask<RouteReply<'listMyNameCorrections'>>(
      'GET',
      '/api/account/name-corrections',
      undefined,
      own,
    );
    expect(mine.reply.items).toMatchObject([
      {
        before: 'Maya Castellanos',
        after: 'María Castellanos',
        reason: 'Misspelt in the contract',
      },
    ]);
    const other = await purser.cookieOf(await employee());
    const others = await ask('GET', '/api/account/name-corrections', undefined, other);
    expect(others.reply).toEqual({ items: [] });
  });

  test('is put into review again if it differs from the approved identity', async () => {
    const person = await employee();
    const approved = await approveIdentity(purser.db, purser.services, person.by, admin.by);
    const { reply } = await correctName(person.id, { firstName: 'Maya', lastName: 'Okonkwo' });
    expect(reply).toEqual({ isIdentityReopened: true });
    expect(await isIdentityApproved(purser.db, person.id)).toBe(false);
    const desk = await ask<ApplicationReview>('GET', `/api/admin/kyc/applications/${approved.id}`);
    expect(desk.reply).toMatchObject({
      status: 'in_review',
      nameMatch: 'different',
      application: { version: approved.version + 1, decidedAt: null },
    });
    expect(desk.reply.application.history.at(-1)).toMatchObject({
      action: 'name_changed',
      notes: 'Maya Castellanos → Maya Okonkwo. Misspelt in the contract',
    });
    const again = await ask('POST', `/api/admin/kyc/applications/${approved.id}/approve`, {
      version: approved.version + 1,
    });
    expect(again.status).toBe(200);
    expect(await isIdentityApproved(purser.db, person.id)).toBe(true);
    const after = await ask<ApplicationReview>('GET', `/api/admin/kyc/applications/${approved.id}`);
    expect(after.reply).toMatchObject({
      nameMatch: 'equal',
      application: { answers: { fullName: 'Maya Okonkwo' } },
    });
  });

  test('stays approved if it equals the approved identity', async () => {
    const person = await employee({ firstName: 'Maja', lastName: 'Castellano' });
    await approveIdentity(purser.db, purser.services, person.by, admin.by);
    const seen = { firstName: 'Maja', lastName: 'Castellano' };
    expect((await correctName(person.id, MAYA, seen)).reply).toEqual({ isIdentityReopened: false });
    expect(await isIdentityApproved(purser.db, person.id)).toBe(true);
  });

  test('may be a single name: a dash in place of the last name is none', async () => {
    const person = await employee();
    await correctName(person.id, { firstName: ' Suharto ', lastName: ' - ' });
    const page = await ask<EmployeePage>('GET', `/api/admin/employees/${person.id}`);
    expect(page.reply).toMatchObject({ name: 'Suharto', firstName: 'Suharto', lastName: '' });
  });

  test('is refused to its owner, without a reason, unchanged, and after another change', async () => {
    const person = await employee();
    const renamed = { firstName: 'María', lastName: 'Castellanos' };
    const own = await correctName(admin.id, renamed, { firstName: 'Renee', lastName: 'Admin' });
    expect(own).toMatchObject({ status: 403, reply: { code: 'own_account' } });
    const silent = await correctName(person.id, { ...renamed, reason: ' ' });
    expect(silent).toMatchObject({ status: 422, reply: { errors: [{ path: 'reason' }] } });
    const same = await correctName(person.id, MAYA);
    expect(same).toMatchObject({ status: 409, reply: { code: 'name_unchanged' } });
    const stale = await correctName(person.id, renamed, { firstName: 'Mia', lastName: 'C' });
    expect(stale).toMatchObject({ status: 409, reply: { code: 'conflict' } });
    const byEmployee = await correctName(
      person.id,
      renamed,
      MAYA,
      await purser.cookieOf(await employee()),
    );
    expect(byEmployee.status).toBe(403);
    expect(await auditOf(person.id, 'person.name_corrected')).toEqual([]);
  });

  test('is the only way to change the name of a person who was accepted', async () => {
    const person = await employee();
    await expect(
      purser.db
        .updateTable('appUser')
        .set({ name: 'Somebody Else', firstName: 'Somebody', lastName: 'Else' })
        .where('id', '=', person.id)
        .execute(),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a corrected address', () => {
  const ADDRESS = {
    addressLine1: '18 Elder Street',
    addressLine2: '',
    city: 'Seattle',
    state: 'WA',
    postalCode: '98101',
    country: 'US',
    reason: 'The street was misread.',
  };
  const correctAddress = (id: string, body: object) =>
    ask<{ code?: string }>('POST', `/api/admin/kyc/applications/${id}/correct-address`, body);

  test('has a postal code of its country, and none where there is none', async () => {
    const person = await employee();
    const { id, version } = await approveIdentity(purser.db, purser.services, person.by, admin.by);
    const statusOf = async (place: object) =>
      (await correctAddress(id, { ...ADDRESS, ...place, version })).status;
    expect(await statusOf({ postalCode: '' })).toBe(422);
    expect(await statusOf({ postalCode: 'SW1A 1AA' })).toBe(422);
    expect(await statusOf({ postalCode: '', country: 'other', city: 'Hong Kong' })).toBe(200);
  });

  test('keeps the identity approved; its owner sees both, the audit trail has neither', async () => {
    const person = await employee();
    const { id, version } = await approveIdentity(purser.db, purser.services, person.by, admin.by);
    expect((await correctAddress(id, { ...ADDRESS, version })).status).toBe(200);
    expect(await isIdentityApproved(purser.db, person.id)).toBe(true);
    const mine = await ask<KycApplication>(
      'GET',
      '/api/kyc/application',
      undefined,
      await purser.cookieOf(person),
    );
    expect(mine.reply.answers.addressLine1).toBe('18 Elder Street');
    expect(mine.reply.history.at(-1)).toMatchObject({
      action: 'address_corrected',
      notes: 'The street was misread.',
      changes: [{ answer: 'addressLine1', before: '18 Alder Street', after: '18 Elder Street' }],
    });
    expect(await auditOf(person.id, 'kyc.address_corrected')).toEqual([
      {
        corrected: ['addressLine1'],
        reason: 'The street was misread.',
        at: expect.any(String),
      },
    ]);
    const [notice] = await noticesOf(purser.db, person.id, 'address-corrected');
    expect(notice).toContain('An administrator corrected your address.');
    expect(notice).not.toContain('Elder');
  });

  test('is refused unchanged, on an older version, and where its owner can still edit it', async () => {
    const person = await employee();
    const { id, version } = await submittedApplication(purser.db, purser.services, person.by);
    const same = { ...ADDRESS, addressLine1: '18 Alder Street', version };
    expect(await correctAddress(id, same)).toMatchObject({ reply: { code: 'address_unchanged' } });
    const stale = await correctAddress(id, { ...ADDRESS, version: version - 1 });
    expect(stale).toMatchObject({ reply: { code: 'application_stale' } });
    await purser.db
      .updateTable('kycApplication')
      .set({ status: 'resubmit_required' })
      .where('id', '=', id)
      .execute();
    expect(await correctAddress(id, { ...ADDRESS, version })).toMatchObject({
      status: 409,
      reply: { code: 'application_wrong_status' },
    });
  });
});

describe('a single name', () => {
  test('signs up, is greeted and added without a space, a dash or null', async () => {
    const signedUp = await ask('POST', '/api/auth/sign-up', {
      firstName: 'Suharto',
      lastName: '',
      email: 'suharto@purser.test',
      password: TEST_PASSWORD,
    });
    expect(signedUp.status).toBe(201);
    const reply = await purser.ask('POST', '/api/admin/employees', {
      cookie,
      key: crypto.randomUUID(),
      body: { fullName: 'Sukarno', email: 'sukarno@purser.test', department: 'finance' },
    });
    expect(await reply.json()).toMatchObject({ name: 'Sukarno' });
    const rows = await purser.db
      .selectFrom('appUser')
      .select(['name', 'firstName', 'lastName'])
      .where('email', 'in', ['suharto@purser.test', 'sukarno@purser.test'])
      .orderBy('name')
      .execute();
    expect(rows).toEqual([
      { name: 'Suharto', firstName: 'Suharto', lastName: '' },
      { name: 'Sukarno', firstName: 'Sukarno', lastName: '' },
    ]);
  });

  test('is sorted among the last names', async () => {
    const people = [
      await employee({ firstName: 'Zed', lastName: 'Xabara' }),
      await employee({ firstName: 'Xeno', lastName: '' }),
      await employee({ firstName: 'Ana', lastName: 'Xylo' }),
    ];
    for (const { by } of people) await submittedApplication(purser.db, purser.services, by);
    const queue = await ask<RouteReply<'adminListReviewQueue'>>(
      'GET',
      '/api/admin/kyc/queue?kind=application&sort=name&direction=asc&pageSize=100',
    );
    const names = queue.reply.items
      .map(({ employee: { name } }) => name)
      .filter((name) => /X/.test(name));
    expect(names).toEqual(['Zed Xabara', 'Xeno', 'Ana Xylo']);
  });
});
