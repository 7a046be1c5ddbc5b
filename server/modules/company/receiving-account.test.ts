import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DepositDetails, SettingsReply, Wallet } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';

const COMPANIES = [
  {
    currency: 'EUR',
    typed: { receivingAccountNumber: 'DE89 3704 0044 0532 0130 00' },
    kept: { receivingRoutingNumber: '', receivingAccountNumber: 'DE89370400440532013000' },
    account: { routingNumber: '', accountNumber: 'DE89370400440532013000' },
    walletRouting: null,
    wrong: { receivingRoutingNumber: '', receivingAccountNumber: 'DE88370400440532013000' },
  },
  {
    currency: 'GBP',
    typed: { receivingRoutingNumber: '20-00-00', receivingAccountNumber: '55779911' },
    kept: { receivingRoutingNumber: '200000', receivingAccountNumber: '55779911' },
    account: { routingNumber: '200000', accountNumber: '55779911' },
    walletRouting: '200000',
    wrong: { receivingRoutingNumber: '200000', receivingAccountNumber: '557799111' },
  },
] as const;

describe.each(COMPANIES)('deposits to a company in $currency', (company) => {
  const { currency } = company;
  let purser: TestApp;
  let admin: Awaited<ReturnType<typeof createAdmin>>;
  let cookie: string;

  beforeEach(async () => {
    purser = await openTestApp();
    admin = await createAdmin(purser.db, purser.services);
    cookie = await purser.cookieOf(admin);
    // Entered before the currency was chosen.
    await change(US_ACCOUNT);
    await change({ currency });
  });
  afterEach(() => purser.close());

  const US_ACCOUNT = { receivingRoutingNumber: '084207311', receivingAccountNumber: '4400128865' };

  async function change(settings: object): Promise<SettingsReply> {
    const ask = (method: string, body?: object) =>
      purser.ask(method, '/api/admin/settings', { cookie, ...(body && { body }) });
    const { version } = (await (await ask('GET')).json()) as SettingsReply;
    return (await (await ask('PUT', { version, settings })).json()) as SettingsReply;
  }

  it('go to an account with the numbers of its currency', async () => {
    expect(await change(company.typed)).toMatchObject({ values: company.kept });
    const { by, wallet } = await createPayee(purser.db, purser.services, {
      admin: admin.by,
      fundedMinor: 0n,
      account: company.account,
    });
    const owner = await purser.cookieOf({ id: by.actor.id });
    const reply = await purser.ask('POST', '/api/deposits', {
      cookie: owner,
      key: randomUUID(),
      body: { walletId: wallet.id, method: 'ach', amount: { minor: '1000', currency } },
    });
    const { id } = (await reply.json()) as { id: string };
    const read = await purser.ask('GET', `/api/deposits/${id}`, { cookie: owner });
    expect(((await read.json()) as DepositDetails).instructions).toMatchObject({
      method: 'ach',
      receivingAccount: company.account,
    });
    const wallets = await purser.ask('GET', '/api/wallets', { cookie: owner });
    const { accounts } = (await wallets.json()) as { accounts: Wallet[] };
    expect(accounts[0]).toMatchObject({ routingNumber: company.walletRouting });
  });

  it('refuses other numbers where they are entered, and no other setting because of them', async () => {
    expect(await change({ companyName: 'Reed' })).toMatchObject({
      values: { currency, ...US_ACCOUNT },
    });
    for (const numbers of [company.wrong, { receivingAccountNumber: '4400128866' }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await change(numbers)).toMatchObject({
        code: 'invalid_request',
        errors: expect.arrayContaining([
          expect.objectContaining({ path: 'settings.receivingAccountNumber' }),
        ]),
      });
    }
    expect(await change({ companyName: 'Tallis' })).toMatchObject({
      values: { companyName: 'Tallis', ...US_ACCOUNT },
    });
    const none = { receivingRoutingNumber: '', receivingAccountNumber: '' };
    expect(await change(none)).toMatchObject({ values: none });
  });
});
