import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { addPayee, scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import type { updateSettings } from '#server/modules/settings/index.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  KNOWN,
  pendingBank,
  verifiedBank,
  withdrawalIn,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { readPain001 } from './pain001/read-pain001.ts';
import type { ReadPayment } from './pain001/read-pain001.ts';

const schemaOf = (version: string) =>
  readFileSync(join(import.meta.dirname, 'pain001', `pain.001.001.${version}.xsd`), 'utf8');

/** A company in each currency: the account that it pays from, one of an employee and one of a payee. */
const COMPANIES = [
  {
    currency: 'EUR',
    format: 'pain001_03',
    own: { payoutRoutingNumber: null, payoutAccountNumber: 'DE89370400440532013000' },
    theirs: { routingNumber: '', accountNumber: 'NL91ABNA0417164300' },
    payee: { routingNumber: '', accountNumber: 'FR1420041010050500013M02606' },
    // Dec 25 is a Friday. T2 is open on the Monday after it; for Boxing Day, a Saturday, British banks are closed.
    paidAfterChristmasEve: '2026-12-28',
    read: { kind: 'iban', iban: 'NL91ABNA0417164300', bic: null },
    written: [
      '<SvcLvl><Cd>SEPA</Cd></SvcLvl>',
      '<ChrgBr>SLEV</ChrgBr>',
      '<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></DbtrAcct>',
      '<CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct>',
    ],
  },
  {
    currency: 'GBP',
    format: 'pain001_09',
    own: { payoutRoutingNumber: '200000', payoutAccountNumber: '55779911' },
    theirs: { routingNumber: '309074', accountNumber: '00448822' },
    payee: { routingNumber: '401234', accountNumber: '12345678' },
    paidAfterChristmasEve: '2026-12-29',
    read: { kind: 'sort_code', sortCode: '309074', accountNumber: '00448822' },
    written: [
      '<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>309074</MmbId>',
      '<CdtrAcct><Id><Othr><Id>00448822</Id></Othr></Id></CdtrAcct>',
      '<DbtrAcct><Id><Othr><Id>55779911</Id></Othr></Id><Ccy>GBP</Ccy></DbtrAcct>',
      '<DbtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>200000</MmbId>',
    ],
  },
] as const;

describe.each(COMPANIES)('a company in $currency', (company) => {
  const currency: Currency = company.currency;
  const services = createTestServices();
  let test: TestDb;
  let db: Db;
  let admin: CommandContext;
  let former: Payee;
  let steps: ReturnType<typeof payoutSteps>;

  beforeAll(async () => {
    services.clock.set('2026-12-08T15:00:00.000Z');
    test = await openTestDb();
    db = test.db;
    admin = await createPersonBy(db, { role: 'admin' });
    steps = payoutSteps(db, services, admin);
    // Somebody has an account from before the currency was changed.
    const by = await createPersonBy(db, { firstName: 'Maya' });
    const bank = await verifiedBank(db, services, { owner: by, admin });
    await enter({ currency });
    await approveIdentity(db, services, by, admin);
    former = { by, bank, wallet: await fundedWallet(db, services, by, 100_000n) };
  });
  afterEach(() => expectSoundMoney(db));
  afterEach(() => steps.expectSound());
  afterAll(() => test.close());

  const enter = (patch: Parameters<typeof updateSettings>[3] = {}) =>
    steps.enterBank({
      payoutFormat: company.format,
      payoutCompanyId: null,
      payoutCoolingHours: 0,
      ...company.own,
      ...patch,
    });
  const payee = (firstName: string) =>
    createPayee(db, services, { admin, firstName, account: company.theirs });
  const approved = (who: Payee) =>
    withdrawalIn(db, services, {
      payee: who,
      admin,
      status: 'approved' as const,
      input: { amount: money(40_000n, currency) },
    });
  const dueBill = async ({ by, wallet }: Payee) => {
    const saved = await withTx(db, (tx) =>
      addPayee(tx, services, by, {
        name: 'Harbor Fiber',
        kind: 'business',
        accountType: 'checking',
        isSaved: true,
        customerNumber: 'HF-220418',
        ...company.payee,
      }),
    );
    const { id } = await withTx(db, (tx) =>
      scheduleBill(tx, services, by, {
        walletId: wallet.id,
        payeeId: saved.id,
        amount: money(1_500n, currency),
        payOn: '2026-12-08',
        dueOn: null,
        memo: 'December',
      }),
    );
    await takeBills(db, services);
    return id;
  };

  it.each(['pain001_03', 'pain001_09'] as const)(
    'pays people and businesses by a file in %s, valid by its schema',
    async (payoutFormat) => {
      await enter({ payoutFormat });
      const who = await payee('Ben');
      const { id, reference } = await approved(who);
      const file = await steps.make([id], [await dueBill(who)]);
      expect(file.checks.every(({ refusal }) => refusal === null)).toBe(true);
      const { content } = await steps.download(file.id);
      for (const part of company.written) expect(content).toContain(part);
      const schema = schemaOf(payoutFormat.slice(-2));
      expect((await validateXML({ xml: content, schema })).errors).toEqual([]);
      const found: ReadPayment[] = [];
      await readPain001([content], (payment) => found.push(payment));
      expect(found).toHaveLength(2);
      expect(found.find((one) => one.reference === reference)).toMatchObject({
        currency,
        amountMinor: 40_000n,
        account: company.read,
      });
      await steps.doAct('send', file.id);
      await steps.doAct('settle', file.id);
    },
  );

  it('holds a payment to an account of another currency, and says why', async () => {
    await enter();
    const { id } = await approved(former);
    const [held] = await steps.held();
    expect(held).toMatchObject({
      id,
      reason: 'format',
      refusal: expect.stringMatching(
        /^Payout files in (?:EUR|GBP) need .*, which this account does not have\.$/,
      ),
    });
    await expect(steps.make([id])).rejects.toMatchObject({ code: 'payout_item_not_ready' });
  });

  it('refuses an account in another format, with each number that is wrong', async () => {
    await expect(pendingBank(db, services, former.by)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: expect.arrayContaining([
        {
          path: 'accountNumber',
          message: expect.stringMatching(/^(?:An IBAN begins|Enter an account number of 8)/),
        },
      ]),
    });
    const details = { name: 'Harbor', kind: 'business', accountType: 'checking' } as const;
    const saved = withTx(db, (tx) =>
      addPayee(tx, services, former.by, {
        ...details,
        isSaved: true,
        customerNumber: '',
        routingNumber: '021000021',
        accountNumber: '40227755502',
      }),
    );
    await expect(saved).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('makes no NACHA file', async () => {
    const { id } = await approved(await payee('Noor'));
    await enter({ payoutFormat: 'nacha' });
    await expect(steps.make([id])).rejects.toMatchObject({
      code: 'nacha_in_dollars',
      message:
        'NACHA files pay in US dollars only. Choose ISO 20022 in Settings, under Payout files.',
    });
  });

  it('asks for no prenote, whatever was chosen before', async () => {
    await enter({ bankAccountProof: 'prenote' });
    const owner = await createPersonBy(db);
    const { id } = await pendingBank(db, services, owner, company.theirs);
    const verified = await withTx(db, (tx) =>
      bankAccountActs.verify(tx, services, admin, { id, reason: KNOWN }),
    );
    expect(verified).toMatchObject({ prenote: null, status: 'verified' });
    await enter({ bankAccountProof: 'none' });
  });

  it('asks the bank to pay on the next day on which it is open', async () => {
    services.clock.set('2026-12-24T15:00:00.000Z');
    await enter();
    const { id } = await approved(await payee('Ida'));
    const file = await steps.make([id]);
    const { content } = await steps.download(file.id);
    expect(content).toMatch(new RegExp(`<ReqdExctnDt>(?:<Dt>)?${company.paidAfterChristmasEve}<`));
    await steps.doAct('cancel', file.id);
  });
});
