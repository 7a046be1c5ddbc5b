import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { UnwritablePayment } from '../order.ts';
import type { OrderedBatch, OrderedPayment, PayeeAccount } from '../order.ts';
import { PainFault, readPain001 } from './read-pain001.ts';
import type { ReadBatch, ReadPayment } from './read-pain001.ts';
import { painName, writePain001 } from './write-pain001.ts';
import type { PainProfile } from './write-pain001.ts';

/** Schemas as ISO 20022 publishes them (iso20022.org, message pain.001). */
const SCHEMAS = {
  '03': readFileSync(join(import.meta.dirname, 'pain.001.001.03.xsd'), 'utf8'),
  '09': readFileSync(join(import.meta.dirname, 'pain.001.001.09.xsd'), 'utf8'),
};

const IBAN: PayeeAccount = { kind: 'iban', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const PROFILE: PainProfile = {
  version: '09',
  companyName: 'Tallis & Reed, Inc.',
  companyId: '1912345678',
  account: IBAN,
  currency: 'EUR',
};
const paid = (given: Partial<OrderedPayment> = {}): OrderedPayment => ({
  reference: 'WD-61803399',
  traceNumber: '084207310000001',
  amountMinor: 62_000n,
  name: 'Siobhán Doyle & Søn',
  account: { kind: 'iban', iban: 'GB29NWBK60161331926819', bic: null },
  note: null,
  ...given,
});
const batch = (payments: OrderedPayment[], given: Partial<OrderedBatch> = {}): OrderedBatch => ({
  number: 1,
  payees: 'people',
  effectiveOn: '2026-12-09',
  sameDay: null,
  count: payments.length,
  totalMinor: payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  payments,
  offsetTraces: [],
  ...given,
});

async function write(batches: OrderedBatch[], profile: Partial<PainProfile> = {}) {
  const file = {
    messageId: '0031',
    createdAt: '2026-12-08T10:05:00',
    count: batches.reduce((sum, { count }) => sum + count, 0),
    totalMinor: batches.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
  };
  let text = '';
  for await (const part of writePain001({ ...PROFILE, ...profile }, file, batches)) text += part;
  return text;
}

async function read(text: Iterable<string>) {
  const payments: (ReadPayment & ReadBatch)[] = [];
  const message = await readPain001(text, (payment, of) => payments.push({ ...payment, ...of }));
  return { ...message, payments };
}

const account: fc.Arbitrary<PayeeAccount> = fc.oneof(
  fc.record({
    kind: fc.constant('iban' as const),
    iban: fc.stringMatching(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/),
    bic: fc.option(fc.stringMatching(/^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/)),
  }),
  fc.record({
    kind: fc.constant('sort_code' as const),
    sortCode: fc.stringMatching(/^\d{6}$/),
    accountNumber: fc.stringMatching(/^\d{8}$/),
  }),
  fc.record({
    kind: fc.constant('aba' as const),
    routingNumber: fc.stringMatching(/^\d{9}$/),
    accountNumber: fc.stringMatching(/^[0-9A-Z]{4,17}$/),
    type: fc.constantFrom('checking' as const, 'savings' as const),
  }),
);
const payment = fc.record({
  reference: fc.stringMatching(/^(?:WD|BP)-[1-9]\d{7}$/),
  traceNumber: fc.stringMatching(/^\d{15}$/),
  amountMinor: fc.bigInt({ min: 1n, max: 99_999_999_999n }),
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
  account,
  note: fc.option(fc.stringMatching(/^[A-Za-z0-9]( ?[A-Za-z0-9.,()+/-]){0,60}$/)),
});
const order = fc.record({
  version: fc.constantFrom('03' as const, '09' as const),
  currency: fc.constantFrom('USD' as const, 'EUR' as const, 'GBP' as const),
  own: account,
  batches: fc.array(
    fc.record({
      payees: fc.constantFrom('people' as const, 'businesses' as const),
      effectiveOn: fc.constantFrom('2026-12-09', '2027-01-04'),
      sameDay: fc.constantFrom(null, 'SD1300'),
      payments: fc.array(payment, { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  partLength: fc.integer({ min: 1, max: 300 }),
});

describe('a credit transfer initiation', () => {
  it('is read back as it was ordered', async () => {
    await fc.assert(
      fc.asyncProperty(order, async ({ version, currency, own, batches, partLength }) => {
        const ordered = batches.map(({ payments, ...given }, at) =>
          batch(payments, { ...given, number: at + 1 }),
        );
        const text = await write(ordered, { version, currency, account: own });
        const found = await read(text.match(new RegExp(`[^]{1,${partLength}}`, 'g')) ?? []);
        expect(found.version).toBe(version);
        expect(found.payments).toEqual(
          batches.flatMap(({ payments, payees, effectiveOn, sameDay }) =>
            payments.map((one) => ({
              ...one,
              name: painName(one),
              currency,
              payees,
              effectiveOn,
              isSameDay: sameDay !== null,
            })),
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['03', '09'] as const)('is valid by the schema of version %s', async (version) => {
    const samples = fc.sample(order, { numRuns: 25, seed: 33 });
    const xml = await Promise.all(
      samples.map(async ({ currency, own, batches }, at) => ({
        fileName: `${at}.xml`,
        contents: await write(
          batches.map(({ payments, ...given }, index) =>
            batch(payments, { ...given, number: index + 1 }),
          ),
          { version, currency, account: own, companyId: at % 2 === 0 ? null : '1912345678' },
        ),
      })),
    );
    expect((await validateXML({ xml, schema: SCHEMAS[version] })).errors).toEqual([]);
    const broken = (xml[0]?.contents ?? '').replace('<PmtMtd>TRF', '<PmtMtd>XXX');
    expect((await validateXML({ xml: broken, schema: SCHEMAS[version] })).valid).toBe(false);
  });

  it.each([
    ['no amount', { amountMinor: 0n }],
    ['a prenote', { isPrenote: true, amountMinor: 0n }],
    ['a reference of 36 characters', { reference: 'R'.repeat(36) }],
    ['an account that is none', { account: { kind: 'iban', iban: 'de89', bic: null } }],
  ] as [string, Partial<OrderedPayment>][])('refuses %s by its reference', async (_what, given) => {
    const writing = write([batch([paid(given)])]);
    await expect(writing).rejects.toThrow(UnwritablePayment);
    await expect(writing).rejects.toMatchObject({ reference: given.reference ?? 'WD-61803399' });
  });

  it('counts exactly its payments', async () => {
    await expect(write([])).rejects.toThrow(RangeError);
    await expect(write([batch([paid()], { count: 2 })])).rejects.toThrow(RangeError);
    await expect(write([batch([paid()], { totalMinor: 1n })])).rejects.toThrow(RangeError);
  });

  it.each<[string, (text: string) => string]>([
    ['a document type', (text) => text.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')],
    ['an entity of its own', (text) => text.replace('Siobhan', '&b;')],
    ['an entity of HTML', (text) => text.replace('Siobhan', '&eacute;')],
    ['a name of a method as an entity', (text) => text.replace('Siobhan', '&constructor;')],
    ['a changed amount', (text) => text.replace('>620.00</InstdAmt>', '>620.01</InstdAmt>')],
    ['five decimals', (text) => text.replaceAll('620.00', '620.00000')],
    ['a changed count', (text) => text.replace('<NbOfTxs>1<', '<NbOfTxs>2<')],
    ['another message', (text) => text.replace('pain.001.001.09', 'pain.008.001.02')],
    ['an end that is missing', (text) => text.slice(0, -12)],
    ['an end that is elsewhere', (text) => text.replace('</Cdtr>', '</Dbtr>')],
    ['a second amount', (text) => text.replace(/<Amt>.*?<\/Amt>/, '$&$&')],
    ['no account', (text) => text.replace(/<CdtrAcct>.*?<\/CdtrAcct>/, '')],
    ['an endless text', (text) => text.replace('Siobhan', 'a'.repeat(100_000))],
    ['nothing', () => ''],
  ])('is refused with %s', async (_what, change) => {
    const text = await write([batch([paid()])]);
    expect((await read([text])).payments).toHaveLength(1);
    await expect(read([change(text)])).rejects.toThrow(PainFault);
  });
});
