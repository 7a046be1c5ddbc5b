import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { ensureEmployee } from '#server/modules/employees/index.ts';
import { acceptPerson } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee, createPerson, createPersonBy } from '#test/factories/people.ts';
import { untilBlocked } from '#test/until-blocked.ts';

// Each test begins with a company in which nobody has an account.
let purser: TestApp;
let cookie: string;
beforeEach(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createPerson(purser.db, { role: 'admin' }));
});
afterEach(() => purser.close());

async function ask(method: string, body?: object) {
  const response = await purser.ask(method, '/api/admin/settings', {
    cookie,
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: (await response.json()) as SettingsReply };
}

async function change(settings: object) {
  const { version } = (await ask('GET')).body;
  return ask('PUT', { version, settings });
}

const currenciesOfAccounts = async () =>
  (await purser.db.selectFrom('ledgerAccount').select('currency').distinct().execute()).map(
    ({ currency }) => currency,
  );

test('the currency can be changed while no account is open, together with the amounts in it', async () => {
  const limit = { minor: '900000', currency: 'EUR' };
  expect((await ask('GET')).body).toMatchObject({
    isCurrencyFixed: false,
    values: { currency: 'USD' },
  });
  expect(await change({ currency: 'EUR', payrollLineLimit: limit })).toMatchObject({
    status: 200,
    body: { values: { currency: 'EUR', payrollLineLimit: limit } },
  });
  const [audit] = await purser.db
    .selectFrom('auditEvent')
    .select('details')
    .where('action', '=', 'settings.updated')
    .execute();
  expect(audit?.details).toMatchObject({
    fields: expect.arrayContaining(['currency']),
    before: expect.arrayContaining(['"USD"']),
    after: expect.arrayContaining(['"EUR"']),
  });
  await createEmployee(purser.db, purser.services);
  expect(await currenciesOfAccounts()).toEqual(['EUR']);
});

test('refuses an amount in the former currency in the same change', async () => {
  const limit = { minor: '900000', currency: 'USD' };
  expect(await change({ currency: 'EUR', payrollLineLimit: limit })).toMatchObject({
    body: { code: 'amount_invalid' },
  });
  expect((await readSettings(purser.db)).currency).toBe('USD');
});

test('stays once an account is open, whoever tries to change it, and the error says so', async () => {
  await createEmployee(purser.db, purser.services);
  expect((await ask('GET')).body.isCurrencyFixed).toBe(true);
  expect(await change({ currency: 'EUR', companyName: 'Tallis' })).toMatchObject({
    status: 409,
    body: { code: 'currency_stays' },
  });
  expect(await readSettings(purser.db)).toMatchObject({
    currency: 'USD',
    companyName: 'My company',
  });
  // The database refuses it, too, without the server's own check.
  await expect(
    purser.db.updateTable('companySettings').set({ currency: 'EUR' }).execute(),
  ).rejects.toMatchObject({ code: '42501' });
});

test('a concurrent opening of an account waits, and uses the new currency', async () => {
  const { id } = await createPerson(purser.db);
  let opening: Promise<void> | undefined;
  await withTx(purser.db, async (tx) => {
    // Changes the currency as changeSettings does, after the other transaction has read the former
    // one.
    await tx.updateTable('companySettings').set({ currency: 'GBP' }).execute();
    opening = withTx(purser.db, (other) => ensureEmployee(other, purser.services, id));
    await untilBlocked(purser.db);
  });
  await opening;
  expect(await currenciesOfAccounts()).toEqual(['GBP']);
});

test('a change waits for an account that is being opened, and is refused', async () => {
  const { id } = await createPerson(purser.db);
  let changing: ReturnType<typeof change> | undefined;
  await withTx(purser.db, async (tx) => {
    await ensureEmployee(tx, purser.services, id);
    changing = change({ currency: 'GBP' });
    await untilBlocked(purser.db);
  });
  expect(await changing).toMatchObject({ body: { code: 'currency_stays' } });
  expect(await currenciesOfAccounts()).toEqual(['USD']);
});

test('a person who signs up before there is an admin gets an account only when accepted', async () => {
  const early = await createPersonBy(purser.db);
  await purser.db.updateTable('appUser').set({ role: 'employee', acceptedAt: null }).execute();
  const ensure = (id: string) => withTx(purser.db, (tx) => ensureEmployee(tx, purser.services, id));
  await ensure(early.actor.id);
  expect(await currenciesOfAccounts()).toEqual([]);

  const admin = await createPersonBy(purser.db, { role: 'admin' });
  await withTx(purser.db, (tx) => acceptPerson(tx, purser.services, admin, early.actor.id));
  await ensure(early.actor.id);
  expect(await currenciesOfAccounts()).toEqual(['USD']);
});

test('a company in euros pays from an IBAN, and not by NACHA', async () => {
  const limit = { minor: '900000', currency: 'EUR' };
  await change({ currency: 'EUR', payrollLineLimit: limit });
  const bank = { payoutFormat: 'pain001_09', payoutBankName: 'Commerzbank' };
  const refusals = async (settings: object) => {
    const { status, body } = await change(settings);
    return { status, errors: (body as unknown as { errors: unknown }).errors };
  };
  expect(
    await refusals({
      ...bank,
      payoutFormat: 'nacha',
      payoutAccountNumber: 'DE89370400440532013000',
    }),
  ).toEqual({
    status: 422,
    errors: [
      {
        path: 'settings.payoutFormat',
        message:
          'NACHA files pay in US dollars only. Choose ISO 20022 in Settings, under Payout files.',
      },
    ],
  });
  const wrong = { path: 'settings.payoutAccountNumber', message: expect.stringContaining('IBAN') };
  const us = { payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' };
  expect(await refusals({ ...bank, ...us })).toEqual({ status: 422, errors: [wrong] });
  const typed = { ...bank, payoutAccountNumber: 'de89 3704 0044 0532 0130 00' };
  expect(await change(typed)).toMatchObject({
    status: 200,
    body: { values: { payoutAccountNumber: 'DE89370400440532013000', payoutCompanyId: '' } },
  });
});

test('a fault from before does not keep other settings from being saved', async () => {
  await purser.db
    .updateTable('companySettings')
    .set({ currency: 'EUR', payoutFormat: 'pain001_03', payoutBankName: 'Northgate' })
    .set({ payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' })
    .execute();
  expect(await change({ companyName: 'Tallis' })).toMatchObject({ status: 200 });
  expect(await change({ payoutAccountNumber: '00964411' })).toMatchObject({ status: 422 });
});
