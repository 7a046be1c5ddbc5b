import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ISO_REASONS } from '#contract/iso-reasons.ts';
import type { IsoReason } from '#contract/iso-reasons.ts';
import type { Currency } from '#contract/money.ts';
import { MAX_RETURN_ENTRIES, RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import { camt054, pain002 } from '#test/iso-messages.ts';
import type { NotifiedPayment, Report, ReportedPayment } from '#test/iso-messages.ts';
import type { OrderedPayment } from '../order.ts';
import { readPain001 } from '../pain001/read-pain001.ts';
import type { ReadPayment } from '../pain001/read-pain001.ts';
import { writePain001 } from '../pain001/write-pain001.ts';
import type { PainProfile } from '../pain001/write-pain001.ts';
import { IsoFault } from './answers.ts';
import type { IsoAnswer } from './answers.ts';
import { readIsoAnswers } from './read-iso-answers.ts';

const read = (text: string, currency: Currency = 'USD') =>
  readIsoAnswers(Readable.from(text.match(/[^]{1,97}/g) ?? [], { encoding: 'utf8' }), currency);

/** Refuses the text at this place for this reason. */
async function expectRefusal(text: string, place: string, why: string) {
  const refusal = await read(text).then(
    () => 'it was read',
    (error: unknown) => (error instanceof IsoFault ? error.message : error),
  );
  expect(refusal).toContain(place);
  expect(refusal).toContain(why);
}

const ACCEPTED = ['ACCP', 'ACSC', 'ACSP', 'ACWC', 'PDNG'] as const;
const codes = Object.keys(ISO_REASONS) as [IsoReason, ...IsoReason[]];
const payment: fc.Arbitrary<OrderedPayment> = fc.record({
  reference: fc.stringMatching(/^(?:WD|BP)-[1-9]\d{7}$/),
  traceNumber: fc.stringMatching(/^\d{15}$/),
  amountMinor: fc.bigInt({ min: 1n, max: 99_999_999_999n }),
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
  account: fc.constant({ kind: 'iban', iban: 'DE89370400440532013000', bic: null }),
  note: fc.constant(null),
});
const answered = fc.record({
  payment,
  status: fc.constantFrom('RJCT', 'CANC', ...ACCEPTED),
  reason: fc.option(fc.constantFrom(...codes), { nil: undefined }),
  hasTrace: fc.boolean(),
  hasAmount: fc.boolean(),
});

/** Payments of a pain.001 that was written and read back, by its batch. */
async function written(batches: readonly (readonly OrderedPayment[])[]) {
  const sumOf = (payments: readonly OrderedPayment[]) =>
    payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const profile: PainProfile = {
    companyName: 'Tallis & Reed',
    companyId: null,
    ...({ version: '09', currency: 'EUR' } as const),
    account: { kind: 'iban', iban: 'DE89370400440532013000', bic: null },
  };
  const file = {
    messageId: '20261208-0031',
    createdAt: '2026-12-08T10:05:00',
    count: batches.flat().length,
    totalMinor: sumOf(batches.flat()),
  };
  const orders = batches.map((payments, at) => ({
    number: at + 1,
    payees: 'people' as const,
    effectiveOn: '2026-12-09',
    sameDay: null,
    count: payments.length,
    totalMinor: sumOf(payments),
    payments,
    offsetTraces: [],
  }));
  let text = '';
  for await (const part of writePain001(profile, file, orders)) text += part;
  const found: ReadPayment[] = [];
  const { messageId } = await readPain001([text], (one) => found.push(one));
  return { messageId, payments: found };
}

describe.each(Array.from({ length: 12 }, (_, at) => at + 3))('pain.002 version %i', (version) => {
  it('answers what was ordered', async () => {
    const batches = fc.array(fc.array(answered, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (order) => {
        const sent = await written(order.map((batch) => batch.map((one) => one.payment)));
        const all = order.flat();
        const replies = sent.payments.map(({ reference, traceNumber, amountMinor }, at) => ({
          endToEndId: reference,
          status: all[at]?.status,
          reason: all[at]?.reason,
          instructionId: all[at]?.hasTrace === true ? traceNumber : undefined,
          amountMinor: all[at]?.hasAmount === true ? amountMinor : undefined,
        }));
        let next = 0;
        const report: Report = {
          version,
          messageId: sent.messageId,
          status: 'PART',
          currency: 'EUR',
          batches: order.map((batch, at) => {
            next += batch.length;
            return {
              id: `${sent.messageId}-${at + 1}`,
              payments: replies.slice(next - batch.length, next),
            };
          }),
        };
        const { original, answers, madeOn, bankName } = await read(pain002(report), 'EUR');
        expect(original?.messageId).toBe('20261208-0031');
        expect([madeOn, bankName]).toEqual(['2026-12-08', 'NRTHUS44']);
        const back = replies.filter(({ status }) => status === 'RJCT' || status === 'CANC');
        expect(
          answers.map(({ of, code, amountMinor }) => ({ ...refsOf(of), code, amountMinor })),
        ).toEqual(
          back.map(({ endToEndId, instructionId, amountMinor, reason, status }) => ({
            endToEndId,
            instructionId: instructionId ?? null,
            amountMinor: amountMinor ?? null,
            code: reason ?? (status === 'CANC' ? 'DS02' : 'NARR'),
          })),
        );
      }),
      { numRuns: 40 },
    );
  });
});

function refsOf(of: IsoAnswer['of']) {
  return of.kind === 'payment'
    ? { endToEndId: of.endToEndId, instructionId: of.instructionId }
    : { endToEndId: null, instructionId: null };
}

const MESSAGE = { messageId: '20261208-0031' };
const rejected = (more: Partial<ReportedPayment> = {}): ReportedPayment => ({
  endToEndId: 'WD-61803399',
  status: 'RJCT',
  reason: 'AC04',
  amountMinor: 62_000n,
  ...more,
});
const batchOf = (payments: ReportedPayment[], status?: string) => ({
  id: '20261208-0031-1',
  payments,
  status,
});

describe('pain.002', () => {
  it('rejects a whole message, and takes the reason from the nearest level', async () => {
    const report: Report = {
      ...MESSAGE,
      status: 'RJCT',
      reason: 'AM04',
      batches: [batchOf([rejected({ status: undefined })], 'RJCT')],
    };
    const { answers } = await read(pain002(report));
    expect(answers.map(({ of, code }) => [of.kind, code])).toEqual([
      ['payment', 'AC04'],
      ['batch', 'AM04'],
      ['all', 'AM04'],
    ]);
  });

  it('is not too large where it names each payment of the largest payout file', () => {
    const one: ReportedPayment = {
      instructionId: '084207310000001',
      endToEndId: 'WD-12345678',
      amountMinor: 99_999_999_999n,
      status: 'RJCT',
      reason: 'AC04',
      reference: '12345678901234567890123456789012345',
      name: 'N'.repeat(140),
    };
    const payments = Array.from({ length: 100 }, () => one);
    const { length } = pain002({ messageId: '20261208-0031', batches: [{ id: '1', payments }] });
    expect((length / payments.length) * MAX_RETURN_ENTRIES).toBeLessThan(RETURN_FILE_MAX_BYTES);
  });

  it('has no answers where all is accepted', async () => {
    for (const status of ['ACCP', 'ACSC', 'PDNG', 'RCVD', 'RCVC']) {
      expect((await read(pain002({ ...MESSAGE, status }))).answers).toEqual([]);
    }
  });

  it('takes a reason of a bank’s own for one in its words', async () => {
    const text = pain002({
      ...MESSAGE,
      batches: [batchOf([rejected({ reason: 'AC99' }), rejected()])],
    });
    const { answers } = await read(text.replace('<Cd>AC04</Cd>', '<Prtry>7</Prtry>'));
    expect(answers.map(({ code }) => code)).toEqual(['NARR', 'NARR']);
  });

  it.each<[string, Partial<Report>, string, string]>([
    ['an unknown status', { status: 'DONE' }, 'OrgnlGrpInfAndSts/GrpSts', '“DONE” is no status'],
    [
      'a rejected payment of an accepted message',
      { status: 'ACCP', batches: [batchOf([rejected()])] },
      'OrgnlPmtInfAndSts[1]/TxInfAndSts[1]/TxSts',
      'it is RJCT, and around it is ACCP',
    ],
    [
      'an accepted payment of a rejected batch',
      { batches: [batchOf([rejected({ status: 'ACSC' })], 'RJCT')] },
      'TxInfAndSts[1]/TxSts',
      'it is ACSC, and around it is RJCT',
    ],
    [
      'an accepted batch of a rejected message',
      { status: 'RJCT', batches: [batchOf([], 'ACSP')] },
      'OrgnlPmtInfAndSts[1]/PmtInfSts',
      'around it is RJCT',
    ],
    [
      'a payment without a status',
      { status: 'PART', batches: [batchOf([rejected(), rejected({ status: undefined })])] },
      'OrgnlPmtInfAndSts[1]/TxInfAndSts[2]/TxSts',
      'it is missing',
    ],
    [
      'a payment without a reference',
      { batches: [batchOf([rejected({ endToEndId: 'NOTPROVIDED' })])] },
      'TxInfAndSts[1]/OrgnlEndToEndId',
      'it is missing',
    ],
    [
      'another currency',
      { currency: 'SEK', batches: [batchOf([rejected()])] },
      'OrgnlTxRef/Amt/InstdAmt',
      'it is in “SEK”, and the company pays in USD',
    ],
    [
      'a count that is none',
      { claims: '<OrgnlNbOfTxs>-1</OrgnlNbOfTxs>' },
      'OrgnlGrpInfAndSts/OrgnlNbOfTxs',
      '“-1” is not a count',
    ],
    [
      'a sum of three decimals',
      { claims: '<OrgnlCtrlSum>1.005</OrgnlCtrlSum>' },
      'OrgnlGrpInfAndSts/OrgnlCtrlSum',
      '“1.005” is not a sum',
    ],
    ['no message id', { messageId: '' }, 'OrgnlGrpInfAndSts/OrgnlMsgId', 'it is missing'],
    ['a version that is not read', { version: 2 }, 'Line 2', 'versions 3 to 14'],
  ])('refuses %s', async (_what, more, place, why) => {
    await expectRefusal(pain002({ ...MESSAGE, ...more }), place, why);
  });

  const ONE = pain002({ ...MESSAGE, batches: [batchOf([rejected()])] });
  it.each<[string, (text: string) => string, string]>([
    [
      'a document type',
      (text) => text.replace('<Doc', '<!DOCTYPE a [<!ENTITY b "c">]><Doc'),
      'DOC',
    ],
    ['an entity of its own', (text) => text.replace('S-1', '&b;'), 'Invalid character entity'],
    ['an entity of HTML', (text) => text.replace('S-1', '&eacute;'), 'Invalid character entity'],
    ['a name of a method', (text) => text.replace('S-1', '&constructor;'), 'Invalid character'],
    ['an end that is missing', (text) => text.slice(0, -30), 'Unclosed root tag'],
    ['an endless text', (text) => text.replace('S-1', 'a'.repeat(100_000)), 'too long'],
    ['deep nesting', (text) => text.replace('S-1', '<a>'.repeat(500)), 'nested too deeply'],
    ['another message', (text) => text.replace('pain.002', 'pain.008'), 'this is pain.008'],
    ['a statement', (text) => text.replace('pain.002', 'camt.053'), 'this is camt.053'],
    ['no namespace', (text) => text.replace(/ xmlns="[^"]*"/, ''), 'no message of ISO 20022'],
    ['an answer to a collection', (text) => text.replace('pain.001.', 'pain.008.'), 'pain.008'],
    ['no header', (text) => text.replace(/<GrpHdr>.*<\/GrpHdr>/, ''), 'GrpHdr: it is missing'],
    ['no day', (text) => text.replace('2026-12-08T', '2026-13-08T'), 'it is not a day'],
    ['two groups', (text) => text.replace(/<OrgnlGrp.*Sts>\n/, '$&$&'), 'a second one'],
    ['five decimals', (text) => text.replace('620.00', '620.00001'), 'is not an amount'],
  ])('refuses %s', async (_what, change, why) => {
    expect((await read(ONE)).answers).toHaveLength(1);
    expect(change(ONE)).not.toBe(ONE);
    await expectRefusal(change(ONE), 'Line', why);
  });

  it('quotes no names and no account numbers', async () => {
    const text = pain002({ ...MESSAGE, batches: [batchOf([rejected({ name: 'GRACE' })])] });
    for (const broken of [text.replace('RJCT', 'XXXX'), text.slice(0, -40)]) {
      await expect(read(broken)).rejects.not.toThrow(/GRACE/);
    }
  });
});

const back = (more: Partial<NotifiedPayment> = {}): NotifiedPayment => ({
  endToEndId: 'WD-61803399',
  amountMinor: 62_000n,
  reason: 'AC01',
  reference: 'B7',
  ...more,
});

describe.each(Array.from({ length: 11 }, (_, at) => at + 2))('camt.054 version %i', (version) => {
  it('has the payments that came back', async () => {
    const plain = back({ reason: undefined, endToEndId: 'OTHER' });
    const text = camt054([[back(), plain], [plain], [back({ indicator: 'DBIT' })]], { version });
    const { answers, bankName, madeOn, original } = await read(text);
    expect({ bankName, madeOn, original }).toEqual({
      bankName: 'Northgate Commerce',
      madeOn: '2026-12-08',
      original: null,
    });
    const one = { code: 'AC01', amountMinor: 62_000n, bankReference: 'B7' };
    expect(answers).toMatchObject([
      { ...one, of: { endToEndId: 'WD-61803399' }, isCredit: true },
      { ...one, isCredit: false },
    ]);
  });
});

describe('camt.054', () => {
  it('leaves out entries that are not booked', async () => {
    expect((await read(camt054([[back()]], { status: 'PDNG' }))).answers).toEqual([]);
  });

  it('knows a return by its bank transaction code, also without payments', async () => {
    const code =
      '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>';
    const text = camt054([[back({ reason: undefined })]]).replace('<NtryDtls>', `${code}$&`);
    expect((await read(text)).answers).toMatchObject([{ code: 'NARR', amountMinor: 62_000n }]);
    const bare = text.replace(/<NtryDtls>[^]*<\/NtryDtls>/, '');
    expect((await read(bare)).answers).toMatchObject([
      { of: { endToEndId: null, instructionId: null }, amountMinor: 62_000n },
    ]);
  });

  it('has the payments of an entry go both ways', async () => {
    const all = camt054([[back({ amountMinor: 100_00n }), back({ amountMinor: 25_00n })]]);
    const text = all
      .replace('>125.00<', '>75.00<')
      .replace('>25.00</Amt>', '>25.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>');
    expect((await read(text)).answers).toMatchObject([
      { amountMinor: 100_00n, isCredit: true },
      { amountMinor: 25_00n, isCredit: false },
    ]);
    await expectRefusal(text.replace('>75.00<', '>125.00<'), 'Ntry[1]/NtryDtls', 'do not add up');
  });

  it('takes entries in other currencies, and returns in none', async () => {
    const plain = camt054([[back({ reason: undefined })]], { currency: 'SEK' });
    expect((await read(plain)).answers).toEqual([]);
    const text = camt054([[back()]], { currency: 'SEK' });
    await expectRefusal(text, 'Ntfctn[1]/Ntry[1]/Amt', 'it is in “SEK”');
  });

  it.each<[string, (text: string) => string, string, string]>([
    ['no indicator', (text) => text.replace('CRDT', 'XXXX'), 'Ntry[1]/CdtDbtInd', 'not CRDT'],
    ['another status', (text) => text.replace('BOOK', 'DONE'), 'Ntry[1]/Sts', 'it is not BOOK'],
    [
      'a part that differs by a cent',
      (text) => text.replace('>620.00</Amt><Rtr', '>620.01</Amt><Rtr'),
      'Ntry[1]/NtryDtls',
      'do not add up',
    ],
    [
      'a wrong number of payments',
      (text) => text.replace('<NbOfTxs>2', '<NbOfTxs>3'),
      'NtryDtls/Btch/NbOfTxs',
      'it counts 3 payments and has 2',
    ],
    [
      'a summary of more entries',
      (text) => text.replace('<NbOfNtries>1', '<NbOfNtries>2'),
      'TxsSummry/TtlNtries/NbOfNtries',
      'it counts 2 entries and has 1',
    ],
    [
      'a summary of another sum',
      (text) => text.replace('<Sum>1240', '<Sum>1240.01'),
      'TxsSummry/TtlNtries/Sum',
      'it is not the sum',
    ],
    ['no amount', (text) => text.replace(/<Amt Ccy="USD">1240.00<\/Amt>/, ''), '/Amt', 'missing'],
  ])('refuses %s', async (_what, change, place, why) => {
    const summary =
      '<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>1240</Sum></TtlNtries></TxsSummry>';
    const text = camt054([[back(), back()]], { summary });
    expect((await read(text)).answers).toHaveLength(2);
    expect(change(text)).not.toBe(text);
    await expectRefusal(change(text), place, why);
  });
});
