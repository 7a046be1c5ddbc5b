import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import type { Payee } from '#test/factories/money.ts';
import { AMOUNT, FUNDED } from '#test/factories/payouts.ts';
import { openReturns, uploadOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { camt054, pain002 } from '#test/iso-messages.ts';
import type { Report, ReportedPayment } from '#test/iso-messages.ts';
import { bookReturnTo } from './decide-entry.ts';
import { checkReturns } from './book-returns.ts';
import { findReturnedPayments } from './queries.ts';

const services = createTestServices();
let { db, other, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, other, steps } = desk);
});
beforeAll(() => steps.enterBank({ payoutFormat: 'pain001_09' }));

const messageOf = ({ number }: Pick<Sent, 'number'>) => `20261208-${number}`;
const batchOf = (one: Pick<Sent, 'number'>) => `${messageOf(one)}-1`;
/** Makes each file another one. */
let reports = 0;
const report = (of: Pick<Sent, 'number'>, more: Partial<Report>) => {
  reports += 1;
  const text = pain002({ messageId: messageOf(of), ...more });
  return text.replace('<MsgId>S-1', `<MsgId>S-${reports}`);
};
const rejected = ({ reference, trace }: Sent, more: Partial<ReportedPayment> = {}) => ({
  endToEndId: reference,
  instructionId: trace,
  amountMinor: AMOUNT,
  status: 'RJCT',
  reason: 'AC04',
  ...more,
});
const partOf = (of: Pick<Sent, 'number'>, payments: readonly ReportedPayment[]) =>
  report(of, { status: 'PART', batches: [{ id: batchOf(of), payments }] });
const book = (text: string) => steps.bookAll(text);
const balanceOf = async ({ wallet }: Payee) =>
  (await accountBalances(db, [wallet.ledgerAccountId])).get(wallet.ledgerAccountId)?.postedMinor;
const countOf = async () => {
  const { rows } = await sql<{ counts: string }>`
    SELECT (SELECT count(*) FROM return_file) || ' ' || (SELECT count(*) FROM ledger_transaction) AS counts`.execute(
    db,
  );
  return rows[0]?.counts;
};

describe('a payment that pain.002 rejects', () => {
  it('comes back as by a file of NACHA', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    const text = partOf(one, [rejected(one), rejected(two, { status: 'ACSC' })]);
    const check = await steps.check(text);
    expect(check).toMatchObject({ refused: null, entryCount: 1, bankName: 'NRTHUS44' });
    expect(check.booked).toMatchObject({ count: 1, total: { minor: '40000' } });
    const entries = await book(text);
    expect(entries).toMatchObject([
      { status: 'booked', code: 'AC04', isMarked: true, payment: { id: one.id } },
    ]);
    expect(await balanceOf(one.who)).toBe(FUNDED);
    expect((await steps.bankOf(one)).status).toBe('returned');
    expect(await steps.lastNotice(one)).toMatch(/in your wallet again\. The account is closed/);
    expect([await steps.statusOf(one.id), await steps.statusOf(two.id)]).toEqual([
      'returned',
      'processing',
    ]);
    await steps.doAct('settle', one.fileId);
    expect(await steps.statusOf(two.id)).toBe('completed');
  });

  it.each<[string, boolean, RegExp]>([
    ['AC01', true, /The bank does not know this account number/],
    ['AG01', true, /The account takes no such payments/],
    ['AM04', false, /Your account stays as it is/],
    ['RR04', false, /Your account stays as it is/],
    ['TECH', false, /The bank cannot take payments now/],
    ['ZZ99', false, /The bank could not process it/],
  ])('%s marks the account: %s', async (reason, isMarked, words) => {
    const one = await steps.sentOne();
    const [entry] = await book(partOf(one, [rejected(one, { reason })]));
    expect(entry).toMatchObject({ status: 'booked', isMarked });
    expect((await steps.bankOf(one)).status).toBe(isMarked ? 'returned' : 'verified');
    expect(await steps.lastNotice(one)).toMatch(words);
  });

  it('is found by its reference or by its trace number alone, without an amount', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    const entries = await book(
      partOf(one, [
        rejected(one, { instructionId: undefined, amountMinor: undefined }),
        rejected(two, { endToEndId: 'NOTPROVIDED', amountMinor: undefined }),
      ]),
    );
    expect(entries).toMatchObject([
      { status: 'booked', amount: { minor: '40000' } },
      { status: 'booked', amount: { minor: '40000' } },
    ]);
  });

  it('is booked once: not by the same file, nor by another one, nor by a notification', async () => {
    const one = await steps.sentOne();
    const text = partOf(one, [rejected(one)]);
    await book(text);
    const counts = await countOf();
    await expect(steps.bookText(text)).rejects.toMatchObject({ code: 'return_file_booked' });
    expect(await countOf()).toBe(counts);
    expect(
      await book(partOf(one, [rejected(one), rejected(one, { reference: 'B' })])),
    ).toMatchObject([
      { status: 'repeated', cause: null },
      { status: 'repeated', cause: 'returned' },
    ]);
    const entry = { endToEndId: one.reference, amountMinor: AMOUNT, reason: 'AC04' };
    expect(await book(camt054([[{ ...entry, reference: 'N-1' }]]))).toMatchObject([
      { status: 'repeated', cause: 'returned' },
    ]);
    expect(await balanceOf(one.who)).toBe(FUNDED);
  });

  it.each<[string, Partial<ReportedPayment>, string]>([
    ['of an amount that differs by a cent', { amountMinor: AMOUNT + 1n }, 'amount'],
    ['with the reference of another', { endToEndId: 'WD-00000001' }, 'reference'],
    [
      'of references of no payment',
      { endToEndId: 'WD-00000001', instructionId: '084207319999999' },
      'trace',
    ],
  ])('%s is unknown, and books nothing', async (_what, more, cause) => {
    const one = await steps.sentOne();
    const [entry] = await book(partOf(one, [rejected(one, { ...more, name: 'HOLLOWAY B' })]));
    expect(entry).toMatchObject({ status: 'unknown', cause, receiver: 'HOLLOWAY B' });
    expect(await steps.statusOf(one.id)).toBe('processing');
    if (cause !== 'trace') return;
    const id = entry?.id ?? '';
    const { payments } = await findReturnedPayments(db, { id, search: one.reference });
    const itemId = payments[0]?.itemId ?? '';
    await withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId }));
    expect(await steps.statusOf(one.id)).toBe('returned');
  });

  it('is unknown in a batch that it was not in', async () => {
    const one = await steps.sentOne();
    const text = report(one, {
      batches: [{ id: `${messageOf(one)}-2`, payments: [rejected(one)] }],
    });
    expect(await book(text)).toMatchObject([{ status: 'unknown', cause: 'reference' }]);
  });
});

describe('a message that pain.002 rejects', () => {
  it('comes back whole, each payment with its own reason where it has one', async () => {
    const [one, two, three] = (await steps.sent(3)) as [Sent, Sent, Sent];
    const claims = '<OrgnlNbOfTxs>3</OrgnlNbOfTxs><OrgnlCtrlSum>1200.00000</OrgnlCtrlSum>';
    const entries = await book(
      report(one, {
        status: 'RJCT',
        reason: 'FF01',
        claims,
        batches: [{ id: batchOf(one), payments: [rejected(two, { reason: 'AC01' })] }],
      }),
    );
    const codes = new Map(entries.map(({ code, payment }) => [payment?.id, code]));
    expect([one, two, three].map(({ id }) => codes.get(id))).toEqual(['FF01', 'AC01', 'FF01']);
    const wallets = await Promise.all([one, two, three].map(({ who }) => balanceOf(who)));
    expect(wallets).toEqual([FUNDED, FUNDED, FUNDED]);
    expect((await steps.bankOf(one)).status).toBe('verified');
  });

  it('comes back by a batch', async () => {
    const one = await steps.sentOne();
    const batches = [{ id: batchOf(one), status: 'RJCT', reason: 'DT01' }];
    expect(await book(report(one, { status: 'PART', batches }))).toMatchObject([
      { status: 'booked', code: 'DT01' },
    ]);
  });

  it('has nothing to book where all of it is accepted', async () => {
    const one = await steps.sentOne();
    const text = report(one, { status: 'ACSC' });
    expect(await steps.check(text)).toMatchObject({ refused: null, entryCount: 0 });
    await expect(steps.bookText(text)).rejects.toMatchObject({ code: 'return_file_unreadable' });
  });

  it('is refused while its file is not marked as sent, and after it was cancelled', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    const text = report(file, { status: 'RJCT' });
    const refusedBy = async (why: RegExp) => {
      const { refused } = await checkReturns(db, uploadOf(text));
      expect(refused).toMatchObject({ element: 'OrgnlGrpInfAndSts' });
      expect(refused?.why).toMatch(why);
    };
    await refusedBy(/is not marked as sent, so cancel it instead/);
    await steps.doAct('cancel', file.id);
    await refusedBy(/was cancelled/);
    expect(await steps.statusOf(id)).toBe('approved');
  });

  it.each<[string, (one: Sent) => Partial<Report>, string, string]>([
    [
      'another message',
      () => ({ messageId: '20261208-9999' }),
      'OrgnlGrpInfAndSts/OrgnlMsgId',
      '“20261208-9999” is no message of ours',
    ],
    [
      'the message of another day',
      (one) => ({ messageId: `20261207-${one.number}` }),
      'OrgnlGrpInfAndSts/OrgnlMsgId',
      'is no message of ours',
    ],
    [
      'a count that is not ours',
      () => ({ claims: '<OrgnlNbOfTxs>2</OrgnlNbOfTxs>' }),
      'OrgnlGrpInfAndSts/OrgnlNbOfTxs',
      'it says 2 payments, and the message has 1',
    ],
    [
      'a sum that differs by a cent',
      () => ({ claims: '<OrgnlCtrlSum>400.01</OrgnlCtrlSum>' }),
      'OrgnlGrpInfAndSts/OrgnlCtrlSum',
      'it says 400.01, and the message has 400.00',
    ],
    [
      'a count of a batch that is not ours',
      (one) => ({ batches: [{ id: batchOf(one), claims: '<OrgnlNbOfTxs>0</OrgnlNbOfTxs>' }] }),
      'OrgnlPmtInfAndSts[1]/OrgnlNbOfTxs',
      'the message has 1',
    ],
    [
      'more rejections than it names',
      (one) => ({
        claims:
          '<NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>RJCT</DtldSts></NbOfTxsPerSts>',
        batches: [{ id: batchOf(one), payments: [rejected(one)] }],
      }),
      'OrgnlGrpInfAndSts/NbOfTxsPerSts',
      'it says 2 payments, and of those that came back it has 1',
    ],
  ])('%s is refused by its element, and books nothing', async (_what, more, element, why) => {
    const one = await steps.sentOne();
    const text = report(one, { status: 'PART', ...more(one) });
    const counts = await countOf();
    const { refused } = await steps.check(text);
    expect(refused).toMatchObject({ element, control: null });
    expect(refused?.why).toContain(why);
    await expect(steps.bookText(text)).rejects.toMatchObject({
      code: 'return_file_unreadable',
      details: { place: expect.stringContaining(element) as string },
    });
    expect(await countOf()).toBe(counts);
  });
});

describe('a payment that camt.054 has as returned', () => {
  const returned = ({ reference }: Sent, more = {}) => ({
    endToEndId: reference,
    amountMinor: AMOUNT,
    reason: 'AC06',
    reference: 'B-1',
    ...more,
  });

  it('comes back before its file is settled and after, in any batch of an entry', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    expect(await book(camt054([[returned(one)]]))).toMatchObject([
      { status: 'booked', code: 'AC06', isMarked: true },
    ]);
    await steps.doAct('settle', one.fileId);
    const plain = { endToEndId: 'OTHER', amountMinor: 1n };
    expect(await book(camt054([[returned(two), plain], [plain]]))).toMatchObject([
      { status: 'booked' },
    ]);
    expect(await balanceOf(two.who)).toBe(FUNDED);
  });

  it('is unknown where it is not ours, is a debit, or has no reference', async () => {
    const one = await steps.sentOne();
    const entries = await book(
      camt054([
        [returned(one, { endToEndId: 'THEIRS', name: 'HOLLOWAY B' })],
        [returned(one, { indicator: 'DBIT' })],
        [{ amountMinor: 5n, reason: 'AC01' }],
        [{ amountMinor: 5n, reason: 'AC01' }],
      ]),
    );
    expect(entries).toMatchObject([
      { status: 'unknown', cause: 'trace', receiver: 'HOLLOWAY B', traceNumber: 'THEIRS' },
      { status: 'unknown', cause: 'debit' },
      { status: 'unknown', cause: 'trace' },
      { status: 'unknown', cause: 'trace' },
    ]);
    expect(await steps.statusOf(one.id)).toBe('processing');
  });

  it('takes a file in UTF-16, as some banks write it', async () => {
    const one = await steps.sentOne();
    const text = camt054([[returned(one)]]);
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const check = await checkReturns(db, {
      read: () => Promise.reject(new Error('is no image')),
      async *stream() {
        yield bytes;
      },
    });
    expect(check.booked.count).toBe(1);
  });
});
