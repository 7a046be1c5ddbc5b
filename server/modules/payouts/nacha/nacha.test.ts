import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '#test/processor-time.ts';
import { UnwritablePayment } from '../order.ts';
import type { OrderedBatch, OrderedPayment } from '../order.ts';
import { readNacha } from './read-nacha.ts';
import type { ReadBatchHeader, ReadEntry } from './read-nacha.ts';
import {
  PAYROLL,
  REVERSAL,
  fileIdModifier,
  nachaName,
  offsets,
  writeNacha,
} from './write-nacha.ts';
import type { NachaProfile, NachaTotals } from './write-nacha.ts';

const PROFILE: NachaProfile = {
  destination: ' 084207311',
  destinationName: 'Northgate Commerce Bank',
  origin: '1912345678',
  originName: 'Tallis & Reed, Inc.',
  companyName: 'Tallis & Reed, Inc.',
  companyId: '1912345678',
  odfi: '08420731',
  peopleDescription: PAYROLL,
  businessesDescription: 'BILL PMT',
  offset: null,
  lineEnd: '\r\n',
};
const OFFSET = { routingNumber: '084207311', accountNumber: '00964410', type: 'checking' } as const;
const FILE = { createdOn: '2026-12-08', createdAt: '1005', idModifier: 'A', reference: '0031' };

const paid = (given: Partial<OrderedPayment> = {}): OrderedPayment => ({
  reference: 'WD-61803399',
  traceNumber: '084207310000001',
  amountMinor: 62_000n,
  name: 'Grace Achieng',
  account: { kind: 'aba', routingNumber: '231380104', accountNumber: '4400917', type: 'checking' },
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

async function write(batches: OrderedBatch[], profile: Partial<NachaProfile> = {}) {
  const writing = writeNacha({ ...PROFILE, ...profile }, FILE, batches);
  const parts: string[] = [];
  let step = await writing.next();
  for (; step.done !== true; step = await writing.next()) parts.push(step.value);
  return { text: parts.join(''), totals: step.value };
}

async function read(text: Iterable<string>) {
  const entries: (ReadEntry & { batch: ReadBatchHeader })[] = [];
  const file = await readNacha(text, (entry, header) => entries.push({ ...entry, batch: header }));
  return { ...file, entries };
}

describe('a written file', () => {
  it('has these records', async () => {
    const { text, totals } = await write(
      [
        batch([paid(), paid({ traceNumber: '084207310000002', name: 'Siobhán Doyle' })], {
          offsetTraces: ['084207310000003'],
        }),
        batch([paid({ traceNumber: '084207310000004', note: 'Invoice 88–2' })], {
          number: 2,
          payees: 'businesses',
          effectiveOn: '2026-12-10',
          offsetTraces: ['084207310000005'],
        }),
      ],
      { offset: OFFSET },
    );
    expect(text.split('\r\n')).toEqual([
      '101 08420731119123456782612081005A094101Northgate Commerce BankTallis & Reed, Inc.    0031    ',
      '5200Tallis & Reed, I                    1912345678PPDPAYROLL   261209261209   1084207310000001',
      '6222313801044400917          0000062000WD-61803399    Grace Achieng           0084207310000001',
      '6222313801044400917          0000062000WD-61803399    Siobhan Doyle           0084207310000002',
      '62708420731100964410         0000124000OFFSET         Tallis & Reed, Inc.     0084207310000003',
      '820000000300546967510000001240000000001240001912345678                         084207310000001',
      '5200Tallis & Reed, I                    1912345678CCDBILL PMT  261210261210   1084207310000002',
      '6222313801044400917          0000062000WD-61803399    Grace Achieng           1084207310000004',
      `705${'Invoice 88-2'.padEnd(80)}00010000004`,
      '62708420731100964410         0000062000OFFSET         Tallis & Reed, Inc.     0084207310000005',
      '820000000300315587410000000620000000000620001912345678                         084207310000002',
      `9000002000002000000060086255492000000186000000000186000${' '.repeat(39)}`,
      ...Array<string>(8).fill('9'.repeat(94)),
      '',
    ]);
    const expected: NachaTotals = {
      batchCount: 2,
      blockCount: 2,
      entryCount: 6,
      entryHash: 86_255_492n,
      debitMinor: 186_000n,
      creditMinor: 186_000n,
    };
    expect(totals).toEqual(expected);
  });

  it('takes a payment back by a debit with the same facts', async () => {
    const { text } = await write([batch([paid()], { isReversal: true })], { lineEnd: '\n' });
    expect(text.split('\n').slice(1, 5)).toEqual([
      '5225Tallis & Reed, I                    1912345678PPDREVERSAL  261209261209   1084207310000001',
      '6272313801044400917          0000062000WD-61803399    Grace Achieng           0084207310000001',
      '822500000100231380100000000620000000000000001912345678                         084207310000001',
      `9000001000001000000010023138010000000062000000000000000${' '.repeat(39)}`,
    ]);
  });

  it.each([
    ['an amount of eleven digits', { amountMinor: 10_000_000_000n }],
    ['no amount', { amountMinor: 0n }],
    ['a prenote with an amount', { isPrenote: true }],
    [
      'an account of 18 characters',
      { account: { ...paid().account, accountNumber: '1'.repeat(18) } },
    ],
    ['a wrong check digit', { account: { ...paid().account, routingNumber: '231380105' } }],
    ['an IBAN', { account: { kind: 'iban', iban: 'DE89370400440532013000', bic: null } }],
    ['a reference of 16 characters', { reference: 'WD-1234567890123' }],
    ['a trace number of 14 digits', { traceNumber: '08420731000001' }],
  ] as [string, Partial<OrderedPayment>][])('refuses %s by its reference', async (_what, given) => {
    const writing = write([batch([paid(given)])]);
    await expect(writing).rejects.toThrow(UnwritablePayment);
    await expect(writing).rejects.toMatchObject({ reference: given.reference ?? 'WD-61803399' });
  });

  it('has at least one entry', async () => {
    await expect(write([])).rejects.toThrow('at least one batch');
    await expect(write([batch([])])).rejects.toThrow('at least one entry');
  });

  it('cuts nothing of the profile', async () => {
    await expect(write([batch([paid()])], { origin: '12345678901' })).rejects.toThrow('origin');
  });

  it('has one modifier for each of 36 files of a day', () => {
    expect([1, 26, 27, 36].map(fileIdModifier)).toEqual(['A', 'Z', '0', '9']);
    expect(() => fileIdModifier(37)).toThrow(RangeError);
  });

  it.each([
    ['Siobhán O’Connor', "Siobhan O'Connor"],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Straße & Søn', 'Strasse & Son'],
    ['李小龍', 'WD-1'],
    ['李 Wei', 'Wei'],
    ['Wilhelmina van der Bergenstein', 'Wilhelmina van der Ber'],
    ['\u{1F600} Ed\tDoe\n', 'Ed Doe'],
  ])('has the name %s as %s', (name, expected) => {
    expect(nachaName({ name, reference: 'WD-1' })).toBe(expected);
  });
});

/** A routing number with its check digit. */
const routingNumber = fc.integer({ min: 1_000_000, max: 99_999_999 }).map((number) => {
  const eight = String(number).padStart(8, '0');
  const weights = [3, 7, 1, 3, 7, 1, 3, 7];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(eight[at]), 0);
  return `${eight}${(10 - (sum % 10)) % 10}`;
});
const accountNumber = fc.stringMatching(/^[0-9A-Z]{4,17}$/);
const accountType = fc.constantFrom('checking' as const, 'savings' as const);
const payment = fc.record({
  reference: fc.stringMatching(/^(?:WD|BILL)-[1-9]\d{7}$/),
  amountMinor: fc.bigInt({ min: 1n, max: 9_999_999_999n }),
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  account: fc.record({
    kind: fc.constant('aba' as const),
    routingNumber,
    accountNumber,
    type: accountType,
  }),
  note: fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .,#/-]{0,60}[A-Za-z0-9]$/)),
  isPrenote: fc.boolean(),
});
const order = fc.record({
  batches: fc.array(
    fc.record({
      payees: fc.constantFrom('people' as const, 'businesses' as const),
      effectiveOn: fc.constantFrom('2026-12-09', '2027-01-04', '2028-02-29'),
      sameDay: fc.constantFrom(null, 'SD1300'),
      payments: fc.array(payment, { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  isBalanced: fc.boolean(),
  lineEnd: fc.constantFrom('\n' as const, '\r\n' as const, '' as const),
  partLength: fc.integer({ min: 1, max: 300 }),
});

/** Batches with trace numbers in their order. */
function orderedOf(batches: RandomBatches, given: Partial<OrderedBatch> = {}): OrderedBatch[] {
  let trace = 0;
  const nextTrace = () => `08420731${String((trace += 1)).padStart(7, '0')}`;
  return batches.map(({ payments, ...facts }, at) => {
    const complete = payments.map((one): OrderedPayment => ({
      ...one,
      ...(one.isPrenote && { amountMinor: 0n, note: null }),
      traceNumber: nextTrace(),
    }));
    const ofPayments = batch(complete, { ...facts, ...given, number: at + 1 });
    return { ...ofPayments, offsetTraces: offsets(ofPayments.totalMinor).map(nextTrace) };
  });
}
type RandomBatches = readonly (Pick<OrderedBatch, 'payees' | 'effectiveOn' | 'sameDay'> & {
  payments: readonly Omit<OrderedPayment, 'traceNumber'>[];
})[];

describe('orders at random', () => {
  it('are taken back by the debits of what they paid', async () => {
    await fc.assert(
      fc.asyncProperty(order, async ({ batches, isBalanced, lineEnd, partLength }) => {
        const real = batches.map(({ payments, ...facts }) => ({
          ...facts,
          payments: payments.map((one) => ({ ...one, isPrenote: false, note: null })),
        }));
        const ordered = orderedOf(real, { isReversal: true });
        const profile = { offset: isBalanced ? OFFSET : null, lineEnd };
        const { text, totals } = await write(ordered, profile);
        const found = await read(text.match(new RegExp(`[^]{1,${partLength}}`, 'g')) ?? []);
        expect(found.totals).toEqual(totals);
        const taken = found.entries.filter(({ isCredit }) => !isCredit);
        expect(taken.map(orderOf)).toEqual(
          ordered.flatMap(({ payments, payees, effectiveOn, sameDay }) =>
            (payments as OrderedPayment[]).map((one) => ({
              ...one,
              name: nachaName(one),
              payees,
              effectiveOn,
              sameDay,
            })),
          ),
        );
        expect(taken.every(({ transactionCode: code }) => code === '27' || code === '37')).toBe(
          true,
        );
        expect(found.entries.every(({ batch: { description } }) => description === REVERSAL)).toBe(
          true,
        );
        const sum = ordered.reduce((total, { totalMinor }) => total + totalMinor, 0n);
        expect(totals.debitMinor).toBe(sum);
        expect(totals.creditMinor).toBe(isBalanced ? sum : 0n);
      }),
      { numRuns: 1000 },
    );
  });

  it('are read back as they were ordered', async () => {
    await fc.assert(
      fc.asyncProperty(order, async ({ batches, isBalanced, lineEnd, partLength }) => {
        const ordered = orderedOf(batches);
        const profile = { offset: isBalanced ? OFFSET : null, lineEnd };
        const { text, totals } = await write(ordered, profile);
        expect(text.length % (10 * (94 + lineEnd.length))).toBe(0);
        const found = await read(text.match(new RegExp(`[^]{1,${partLength}}`, 'g')) ?? []);
        expect(found.totals).toEqual(totals);
        const all = ordered.flatMap((one) => one.payments as OrderedPayment[]);
        expect(found.entries.filter(({ isCredit }) => isCredit).map(orderOf)).toEqual(
          ordered.flatMap(({ payments, payees, effectiveOn, sameDay }) =>
            (payments as OrderedPayment[]).map((one) => ({
              ...one,
              // Blanks are squeezed, because banks squeeze them too.
              note: one.note?.replaceAll(/ +/g, ' ') ?? null,
              name: nachaName(one),
              payees,
              effectiveOn,
              sameDay,
            })),
          ),
        );
        const sum = all.reduce((total, { amountMinor }) => total + amountMinor, 0n);
        expect(totals.creditMinor).toBe(sum);
        expect(totals.debitMinor).toBe(isBalanced ? sum : 0n);
      }),
      { numRuns: 2000 },
    );
  });

  it('are refused after any one digit of a control record has changed', async () => {
    const { text } = await write([batch([paid()])], { lineEnd: '\n' });
    const lines = text.split('\n');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(3, 4),
        fc.integer({ min: 0, max: 93 }),
        fc.integer({ min: 1, max: 9 }),
        async (line, column, by) => {
          const record = lines[line] ?? '';
          const digit = record[column] ?? ' ';
          fc.pre(/\d/.test(digit));
          const changed = `${record.slice(0, column)}${(Number(digit) + by) % 10}${record.slice(column + 1)}`;
          const file = [...lines.slice(0, line), changed, ...lines.slice(line + 1)].join('\n');
          await expect(read([file])).rejects.toMatchObject({ record: line + 1 });
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The order that an entry was written from. */
function orderOf({ batch: header, ...entry }: ReadEntry & { batch: ReadBatchHeader }) {
  const code = entry.transactionCode;
  const [note] = entry.follows;
  return {
    reference: entry.identification,
    traceNumber: entry.traceNumber,
    amountMinor: entry.amountMinor,
    name: entry.name,
    account: {
      kind: 'aba',
      routingNumber: entry.routingNumber,
      accountNumber: entry.accountNumber,
      type: code.startsWith('2') ? 'checking' : 'savings',
    },
    note: note?.kind === 'note' ? note.text : null,
    isPrenote: code.endsWith('3'),
    payees: header.entryClass === 'PPD' ? 'people' : 'businesses',
    effectiveOn: `20${header.effectiveOn.replaceAll(/\B(?=(?:..)+$)/g, '-')}`,
    sameDay: header.descriptiveDate.startsWith('SD') ? header.descriptiveDate : null,
  };
}

describe('100,000 entries', () => {
  it('are written and read back one at a time, in under ten seconds and 200 MB', async () => {
    const ENTRIES = 100_000;
    const traceOf = (at: number) => `08420731${String(at).padStart(7, '0')}`;
    let most = 0;
    function* payments() {
      for (let at = 1; at <= ENTRIES; at += 1) {
        if (at % 1_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
        yield paid({ traceNumber: traceOf(at) });
      }
    }
    const ordered = { ...batch([]), payments: payments(), count: ENTRIES };
    const heapBefore = process.memoryUsage().heapUsed;
    let count = 0;
    const usedMs = await processorMs(async () => {
      const written = writeNacha(PROFILE, FILE, [ordered]);
      const { totals } = await readNacha(written, ({ traceNumber }) => {
        count += 1;
        if (traceNumber !== traceOf(count)) throw new Error(`entry ${count} is ${traceNumber}`);
      });
      expect(totals.creditMinor).toBe(62_000n * BigInt(ENTRIES));
    });
    expect(count).toBe(ENTRIES);
    expect(usedMs).toBeLessThan(10_000);
    expect(most - heapBefore).toBeLessThan(200 * 1024 * 1024);
  });
});
