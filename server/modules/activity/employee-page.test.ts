import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmployeePage } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let admin: TestPerson;
let payee: Payee;
let grace: { id: string };
let cookie: string;
let otherCookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  admin = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  cookie = await purser.cookieOf(admin);
  otherCookie = await purser.cookieOf(await createAdmin(db, services));
  const names = { firstName: 'Grace', lastName: 'Achieng' };
  payee = await createPayee(db, services, { admin: admin.by, fundedMinor: 900_000n, ...names });
  grace = payee.by.actor;
});
afterAll(() => purser.close());

const see = async (id = grace.id): Promise<EmployeePage> =>
  (await (
    await purser.ask('GET', `/api/admin/employees/${id}`, { cookie })
  ).json()) as EmployeePage;
const send = (method: string, path: string, body: object, as = cookie) =>
  purser.ask(method, path, { cookie: as, body });
const position = (body: object, as = cookie) =>
  send('PUT', `/api/admin/employees/${grace.id}/position`, body, as);
const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code;

describe('the page of an employee', () => {
  test('has everything of them, and of nobody else', async () => {
    const { db, services } = purser;
    const other = await createEmployee(db, services, { firstName: 'Omar' });
    await fundedWallet(db, services, other.by, 5_000n);
    const page = await see();
    expect(page).toMatchObject({
      id: grace.id,
      name: 'Grace Achieng',
      standing: 'active',
      role: 'employee',
      department: 'general',
      position: 'Employee',
      isInvited: true,
      lastSignInAt: null,
      wallets: [{ type: 'salary', isPrimary: true, available: { minor: '900000' } }],
      available: { minor: '900000', currency: 'USD' },
      activity: [{ amount: { minor: '900000' } }],
      bankAccounts: [{ status: 'verified' }],
      identity: {
        status: 'approved',
        steps: [
          { action: 'submitted', by: 'Grace Achieng' },
          { action: 'approved', by: 'Renee Albright' },
        ],
      },
    });
    expect(page.documents).toHaveLength(2);
    expect(page.documents).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'id_front', status: 'approved' }),
        expect.objectContaining({ type: 'id_back', status: 'approved' }),
      ]),
    );
    expect(page.audit).toHaveLength(5);
    expect(JSON.stringify(page)).not.toContain(other.id);
  });

  test('is bounded: the newest five withdrawals of more', async () => {
    for (let count = 0; count < 6; count += 1) {
      await withdrawalIn(purser.db, purser.services, {
        payee,
        admin: admin.by,
        status: 'pending',
      });
    }
    const { withdrawals, inProgress, wallets } = await see();
    expect(withdrawals).toHaveLength(5);
    expect(inProgress.withdrawals).toBe(6);
    expect(wallets[0]?.held).toEqual(inProgress.held);
  });

  test('is of nobody for an unknown id', async () => {
    const reply = await purser.ask('GET', `/api/admin/employees/${randomUUID()}`, { cookie });
    expect(await codeOf(reply)).toBe('person_not_found');
  });
});

describe('department and position', () => {
  test('change once: of two concurrent admins the second looks again', async () => {
    const seen = { department: 'general', position: 'Employee' };
    const replies = await Promise.all([
      position({ department: 'operations', position: 'Coordinator', seen }),
      position({ department: 'sales', position: 'Seller', seen }, otherCookie),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const refused = replies.find(({ status }) => status === 409);
    expect(refused && (await codeOf(refused))).toBe('conflict');
    const { department, position: now, audit } = await see();
    expect(`${department} ${now}`).toMatch(/^(?:operations Coordinator|sales Seller)$/);
    const changes = audit.filter(({ action }) => action === 'person.position_changed');
    expect(changes).toHaveLength(1);
  });

  test.each([{ position: ' ' }, { position: 'x'.repeat(81) }, { department: 'all' }])(
    'refuses %j and changes nothing',
    async (wrong) => {
      const before = await see();
      const { department, position: held } = before;
      const reply = await position({
        department: 'hr',
        position: 'Other',
        ...wrong,
        seen: { department, position: held },
      });
      expect(reply.status).toBe(422);
      expect(await see()).toEqual(before);
    },
  );
});

describe('a further account', () => {
  const open = (type: string, id = grace.id, as = cookie) =>
    send('POST', `/api/admin/employees/${id}/wallets`, { type }, as);

  test('opens once, also for two concurrent admins', async () => {
    const replies = await Promise.all([open('savings'), open('savings', grace.id, otherCookie)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const { wallets, audit } = await see();
    expect(wallets.map(({ type }) => type)).toEqual(['salary', 'savings']);
    expect(audit[0]).toMatchObject({ action: 'wallet.opened' });
  });

  test('opens for no admin, nobody unknown, and nobody who is deactivated', async () => {
    expect(await codeOf(await open('irs', admin.id, otherCookie))).toBe('person_not_found');
    expect(await codeOf(await open('irs', randomUUID()))).toBe('person_not_found');
    const left = await createEmployee(purser.db, purser.services);
    await send('POST', `/api/admin/people/${left.id}/deactivate`, { reason: 'Left' });
    expect(await codeOf(await open('irs', left.id))).toBe('person_wrong_standing');
    expect((await open('salary')).status).toBe(422);
  });
});

describe('payouts', () => {
  test('are frozen by an admin once, and released', async () => {
    const act = (what: string, id = grace.id, as = cookie) =>
      send('POST', `/api/admin/people/${id}/${what}`, { reason: 'Asked by phone' }, as);
    const replies = await Promise.all([
      act('freeze-payouts'),
      act('freeze-payouts', grace.id, otherCookie),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { payoutsFrozenAt, payoutsFrozen, reason, audit, withdrawals } = await see();
    expect(payoutsFrozenAt).not.toBeNull();
    expect(payoutsFrozen).toEqual({ by: expect.any(String), reason: 'Asked by phone' });
    expect(reason, 'the reason of the standing is another').toBeNull();
    expect(audit[0]).toMatchObject({ action: 'payouts.frozen', by: expect.any(String) });
    const approving = await purser.ask(
      'POST',
      `/api/admin/withdrawals/${withdrawals[0]?.id}/approve`,
      { cookie, key: randomUUID() },
    );
    expect(await codeOf(approving)).toBe('payouts_frozen');
    expect(await codeOf(await act('freeze-payouts', admin.id))).toBe('own_account');
    expect((await act('release-payouts')).status).toBe(200);
    expect(await see()).toMatchObject({ payoutsFrozenAt: null, payoutsFrozen: null });
  });
});
