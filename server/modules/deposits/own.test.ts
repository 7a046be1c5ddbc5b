import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deposit, DepositDetails, DepositOptions } from '#contract/api.ts';
import type { RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { openInstructions } from './instructions.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, expectSoundMoney, fundedWallet } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';

let purser: TestApp;
let maya: Payee;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  const { by: admin } = await createAdmin(purser.db, purser.services);
  maya = await createPayee(purser.db, purser.services, {
    admin,
    fundedMinor: 0n,
    firstName: 'Maya',
    lastName: 'Castellanos',
  });
  cookie = await purser.cookieOf({ id: maya.by.actor.id });
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});

async function ask<Reply>(path: string, options: { as?: string } = {}) {
  const response = await purser.ask('GET', path, { cookie: options.as ?? cookie });
  return (await response.json()) as Reply;
}

async function request(
  method: string,
  minor: string,
  { key = randomUUID(), ...more }: { key?: string; description?: string; walletId?: string } = {},
) {
  const response = await purser.ask('POST', '/api/deposits', {
    cookie,
    key,
    body: { walletId: maya.wallet.id, method, amount: { minor, currency: 'USD' }, ...more },
  });
  return { status: response.status, reply: (await response.json()) as Deposit & { code: string } };
}

async function detailsOf(method: string, minor: string): Promise<DepositDetails> {
  const { reply } = await request(method, minor);
  return ask<DepositDetails>(`/api/deposits/${reply.id}`);
}

const offered = async (options: { as?: string } = {}) =>
  (await ask<DepositOptions>('/api/deposits/options', options)).methods.map(({ id }) => id);

test('offers a method only once the company has said where its money goes', async () => {
  expect(await offered()).toEqual(['mobile_check', 'secure_transfer']);
  for (const [method, minor] of [
    ['ach', '1000'],
    ['wire', '100000'],
    ['card', '1000'],
    ['physical_check', '1000'],
  ] as const) {
    expect(await request(method, minor)).toMatchObject({
      status: 422,
      reply: { code: 'deposit_method_unavailable' },
    });
  }
  // A secure transfer begins with a call, so it needs a number.
  const unknown = await createPersonBy(purser.db);
  const as = await purser.cookieOf({ id: unknown.actor.id });
  expect(await offered({ as })).toEqual(['mobile_check']);

  await offerDeposits(purser.db, purser.services);
  expect(await offered()).toEqual([
    'ach',
    'wire',
    'card',
    'mobile_check',
    'physical_check',
    'secure_transfer',
  ]);
});

test('offers no method that is switched off, and gives the company’s note with the instructions', async () => {
  await offerDeposits(purser.db, purser.services);
  const change = (patch: Parameters<typeof updateSettings>[3]) =>
    withTx(purser.db, (tx) => updateSettings(tx, purser.services, { actor: 'system' }, patch));
  const before = await detailsOf('wire', '100000');
  expect(before.instructions).not.toHaveProperty('note');
  await change({ offersWire: false, offersAch: false, depositNote: 'Ask Renee first.\nSuite 4.' });
  expect(await offered()).toEqual(['card', 'mobile_check', 'physical_check', 'secure_transfer']);
  expect(await request('wire', '100000')).toMatchObject({
    status: 422,
    reply: { code: 'deposit_method_unavailable' },
  });
  // Earlier deposits stay as they were, their instructions too.
  expect(await ask<DepositDetails>(`/api/deposits/${before.id}`)).toMatchObject({
    status: 'pending',
    instructions: before.instructions,
  });
  expect(await detailsOf('physical_check', '1000')).toMatchObject({
    instructions: { method: 'physical_check', note: 'Ask Renee first.\nSuite 4.' },
  });
  await change({ offersWire: true, offersAch: true, depositNote: null });
});

test('names the company as it is registered, where that is another name', async () => {
  const rename = (legalName: string | null) =>
    withTx(purser.db, (tx) =>
      updateSettings(tx, purser.services, { actor: 'system' }, { legalName }),
    );
  await rename('Tallis & Reed, Inc.');
  const payTo = 'Tallis & Reed, Inc., for Maya Castellanos';
  expect((await detailsOf('ach', '100')).instructions).toMatchObject({ payTo });
  expect((await detailsOf('physical_check', '200000')).instructions).toMatchObject({
    mailTo: expect.stringMatching(/^Tallis & Reed, Inc\.\nAttn: /),
  });
  await rename(null);
});

test('keeps what was to be done as it was then', async () => {
  const payTo = 'My company, for Maya Castellanos';
  const receivingAccount = { routingNumber: '084207311', accountNumber: '4400128865' };
  const wire = await detailsOf('wire', '150000');
  expect(wire).toMatchObject({
    total: { minor: '152500', currency: 'USD' },
    disputeUntil: addDays(dayIn('America/New_York', new Date(wire.submittedAt)), 60),
    supportEmail: 'payroll@tallisreed.example',
    instructions: {
      method: 'wire',
      payTo,
      bankName: 'Northgate Commerce Bank, N.A.',
      bankAddress: '1201 Second Avenue, Seattle, WA 98101',
      receivingAccount,
    },
  });
  expect((await detailsOf('ach', '100')).instructions).toEqual({
    method: 'ach',
    payTo,
    receivingAccount,
  });
  expect((await detailsOf('card', '25000')).instructions).toEqual({
    method: 'card',
    chargedBy: 'My company',
    paymentPage: 'https://pay.tallisreed.example/card',
  });
  expect((await detailsOf('physical_check', '200000')).instructions).toEqual({
    method: 'physical_check',
    payTo,
    mailTo: 'My company\nAttn: Payroll deposits\n418 Mercer Street, Suite 900\nSeattle, WA 98109',
  });
  expect((await detailsOf('secure_transfer', '6000000')).instructions).toEqual({
    method: 'secure_transfer',
    phone: '+1 (206) 555-0142',
  });

  await purser.db
    .updateTable('companySettings')
    .set({ receivingBankName: 'Another Bank', receivingBankAddress: 'Elsewhere' })
    .execute();
  expect((await ask<DepositDetails>(`/api/deposits/${wire.id}`)).instructions).toEqual(
    wire.instructions,
  );
});

test('gives no account from before the company entered one', async () => {
  const { db, services } = purser;
  const [id, userId] = [randomUUID(), maya.by.actor.id];
  const place = { table: 'deposit', column: 'instructions_encrypted', rowId: id };
  const former = {
    method: 'ach',
    payTo: 'My company',
    routingNumber: '084207311',
    accountLast4: '4821',
  };
  const instructionsEncrypted = await withTx(db, (tx) =>
    services.vault.seal(tx, userId, place, JSON.stringify(former)),
  );
  const opened = openInstructions(db, services.vault, { id, userId, instructionsEncrypted });
  expect(await opened).toMatchObject({ method: 'ach', receivingAccount: null });
});

test('keeps instructions encrypted', async () => {
  const rows = await purser.db.selectFrom('deposit').select('instructionsEncrypted').execute();
  for (const { instructionsEncrypted } of rows) {
    expect(instructionsEncrypted?.toString('latin1')).not.toContain('method');
  }
});

test('asks once for one key, and says what is left of the day', async () => {
  const key = randomUUID();
  const [one, other] = await Promise.all([
    request('mobile_check', '500000', { key }),
    request('mobile_check', '500000', { key }),
  ]);
  expect(other.reply.id).toBe(one.reply.id);
  const left = async () => {
    const { methods } = await ask<DepositOptions>('/api/deposits/options');
    return methods.find(({ id }) => id === 'mobile_check')?.leftToday.minor;
  };
  expect(await left()).toBe('500000');
  const both = await Promise.all([
    request('mobile_check', '500000'),
    request('mobile_check', '100'),
  ]);
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '422']);
  const cancel = await purser.ask('POST', `/api/deposits/${one.reply.id}/cancel`, {
    cookie,
    key: randomUUID(),
  });
  expect(cancel.status).toBe(200);
  expect(BigInt((await left()) ?? '0')).toBeGreaterThanOrEqual(500_000n);
});

test.each([
  ['0', 'ach', 422],
  ['-100', 'ach', 422],
  ['99', 'ach', 422],
  ['1000001', 'ach', 422],
  ['100', 'cash', 422],
  ['1e3', 'ach', 422],
])('refuses %s by %s', async (minor, method, status) => {
  expect((await request(method, minor)).status).toBe(status);
});

test('takes words of one line, and no more than there is room for', async () => {
  const words = 'Önline ✓ <b>ünd</b> mehr';
  expect((await request('ach', '100', { description: ` ${words} ` })).reply.description).toBe(
    words,
  );
  for (const description of ['two\nlines', 'x'.repeat(10_000)]) {
    expect((await request('ach', '100', { description })).status).toBe(422);
  }
});

test('lists one’s own, by status', async () => {
  const other = await createPersonBy(purser.db);
  await fundedWallet(purser.db, purser.services, other, 0n);
  const as = await purser.cookieOf({ id: other.actor.id });
  expect((await ask<RouteReply<'listDeposits'>>('/api/deposits', { as })).items).toEqual([]);
  const pending = await ask<RouteReply<'listDeposits'>>('/api/deposits?status=pending');
  const cancelled = await ask<RouteReply<'listDeposits'>>('/api/deposits?status=cancelled');
  expect(pending.items.every(({ status }) => status === 'pending')).toBe(true);
  expect(pending.items.length).toBeGreaterThan(2);
  expect(cancelled.items).toHaveLength(1);
});
