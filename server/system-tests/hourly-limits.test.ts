import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payslipId, receiptId } from '#contract/account-documents.ts';
import { CALENDAR_FEED_DEFAULTS } from '#contract/calendar-feed.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import type { HourlyLimit } from '#contract/hourly-limits.ts';
import { mountTestApp, openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { bankDetails } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { OPERATIONS } from '#test/operations.ts';

let purser: TestApp;
let secondProcess: TestApp;
beforeAll(async () => {
  purser = await openTestApp();
  secondProcess = await mountTestApp(purser);
});
afterAll(async () => {
  await secondProcess.live.stop();
  await purser.close();
});

const limited = OPERATIONS.flatMap(({ spec, ...operation }) =>
  spec.hourly === null ? [] : [{ ...operation, hourly: spec.hourly, access: spec.access }],
);

/** A path and a body that pass, so that nothing else is refused first. */
function requestOf({ name, path }: { name: string; path: string }) {
  const isDocument = name === 'downloadAccountDocument';
  const filled = path
    .replace('{id}', isDocument ? receiptId(`${randomUUID()}.salary`) : '{id}')
    .replace('events/{id}', `events/${randomUUID()}.salary`)
    .replace('{document}', payslipId(randomUUID()))
    .replace('{type}', 'id_front')
    .replace('{side}', 'front')
    .replace('{year}', '2026')
    .replace('{month}', '2026-10')
    .replaceAll(/\{\w+\}/g, () => randomUUID());
  const takesBank = /^(?:add|update|adminEnter)BankAccount$/.test(name);
  const takesPayee = name === 'addPayee' || name === 'updatePayee';
  const takesHash = ['adminFillInPayrollFile', 'adminImportStatement', 'adminBookReturns'].includes(
    name,
  );
  const takesFormat = name === 'adminExportJournal';
  const query = takesHash ? `?${FILE_QUERY}` : takesFormat ? '?format=csv' : '';
  return {
    path: filled + query,
    ...(takesBank && { body: bankDetails() }),
    ...(takesPayee && { body: PAYEE }),
    ...(name === 'resendBill' && {
      body: { payeeId: randomUUID(), change: PAYEE, payOn: '2026-12-08' },
    }),
    ...(name === 'adminCreatePasswordLinks' && {
      body: { personIds: [randomUUID()], way: 'show' },
    }),
    ...(name === 'adminCreateImportLinks' && { body: { after: 0, way: 'show' } }),
    ...(name === 'enterMicroDeposits' && {
      body: { first: CENTS, second: CENTS },
    }),
    ...(name === 'askQuestion' && { body: { question: 'Why is it lower?' } }),
    ...(/^adminReveal(?:Bills|Withdrawals)$/.test(name) && { body: { ids: [randomUUID()] } }),
    ...(name === 'adminDownloadPayoutFileAgain' && { body: { reason: 'The copy was lost' } }),
    ...(name === 'renamePasskey' && { body: { name: 'My phone' } }),
    ...(name === 'createCalendarFeed' && { body: CALENDAR_FEED_DEFAULTS }),
  };
}

const CENTS = { minor: '12', currency: 'USD' };
const FILE_QUERY = `version=1&controlTotal=none&hash=${'0'.repeat(64)}`;
const PAYEE = {
  name: 'Harbor Fiber',
  kind: 'business',
  routingNumber: '021000021',
  accountNumber: '40227755502',
  accountType: 'checking',
  isSaved: true,
};

async function exhaust(limit: HourlyLimit, { id }: TestPerson): Promise<void> {
  for (let count = 0; count < HOURLY_LIMITS[limit]; count += 1) {
    await secondProcess.identity.attempts.spendHourly(limit, id);
  }
}

test('every upload, export and revealed number has one', () => {
  const costly = OPERATIONS.filter(
    ({ name, spec }) =>
      spec.upload !== undefined ||
      spec.reply === 'csv' ||
      spec.reply === 'zip' ||
      name.toLowerCase().includes('reveal'),
  );
  expect(costly.filter(({ spec }) => spec.hourly === null).map(({ name }) => name)).toEqual([]);
});

test.each(limited)(
  '$name is refused once another process counted the last one',
  async ({ name, method, path, hourly, access }) => {
    const create = access === 'admin' ? createAdmin : createEmployee;
    const person = await create(purser.db, purser.services);
    const cookie = await purser.cookieOf(person);
    const ask = () => {
      const { path: filled, ...body } = requestOf({ name, path });
      return purser.ask(method, filled, { cookie, key: randomUUID(), ...body });
    };
    expect((await ask()).status).not.toBe(429);
    await exhaust(hourly, person).catch(() => undefined);

    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(await refused.json()).toMatchObject({
      code: 'hourly_limit',
      title: 'You have done this too often in the last hour. Please try again in 60 minutes.',
    });
    const rows = await purser.db
      .selectFrom('auditEvent')
      .select('details')
      .where('actorId', '=', person.id)
      .where('action', '=', 'limit.reached')
      .execute();
    expect(rows).toEqual([{ details: { operation: name } }]);
  },
);

test('it is one person’s own, and what is refused for another reason counts nothing', async () => {
  const [often, seldom] = [
    await createEmployee(purser.db, purser.services),
    await createEmployee(purser.db, purser.services),
  ];
  await exhaust('bankAccounts', often);
  const cookie = await purser.cookieOf(seldom);
  for (let count = 0; count <= HOURLY_LIMITS.bankAccounts; count += 1) {
    const refused = await purser.ask('POST', '/api/bank-accounts', { cookie, body: {} });
    expect(refused.status).toBe(422);
  }
  const added = await purser.ask('POST', '/api/bank-accounts', { cookie, body: bankDetails() });
  expect(added.status).toBe(201);
});

test('other limits are in the audit trail once they are met, with who met them', async () => {
  const once = { attempts: 1, perS: 60 };
  const limits = { recipientOfAccount: once, wrongLinkFromAddress: once };
  const strict = await mountTestApp(purser, { limits });
  const person = await createEmployee(purser.db, purser.services);
  const cookie = await strict.cookieOf(person);
  for (const [name, path, request, actorRole] of [
    ['findRecipient', 'payments/recipient', { cookie, body: { email: person.email } }, 'employee'],
    ['confirmEmail', 'auth/confirm-email', { body: { token: 'made-up' } }, 'visitor'],
  ] as const) {
    const ask = () => strict.ask('POST', `/api/${path}`, request);
    expect((await ask()).status).not.toBe(429);
    expect((await ask()).status).toBe(429);
    const rows = await purser.db
      .selectFrom('auditEvent')
      .select(['actorRole', 'details'])
      .where('action', '=', 'limit.reached')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows).toEqual([{ actorRole, details: { operation: name } }]);
  }
  await strict.live.stop();
});
