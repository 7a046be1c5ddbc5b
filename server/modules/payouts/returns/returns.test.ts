import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { money } from '#contract/money.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import type { Payee } from '#test/factories/money.ts';
import { AMOUNT, FUNDED } from '#test/factories/payouts.ts';
import { openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import type { ReturnedEntry } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectLocksInOrder } from '#test/start-and-block.ts';
import { getPayoutFile } from '../file-queries.ts';
import { getPayouts } from '../get-payouts.ts';
import { bookReturnTo, setReturnAside } from './decide-entry.ts';
import { offerBooking } from './offer-booking.ts';
import { findReturnedPayments, getReturns } from './queries.ts';

const services = createTestServices();
let { db, admin, other, steps } = {} as ReturnDesk;
/** A payment on its way that no test gives back. */
let still: Sent;
openReturns(services, async (desk) => {
  ({ db, admin, other, steps } = desk);
  still = await steps.sentOne();
});

const balanceOf = async ({ wallet }: Payee) =>
  (await accountBalances(db, [wallet.ledgerAccountId])).get(wallet.ledgerAccountId)?.postedMinor;
/** Sum of the entries of a payment on a system account. */
const postedOn = async (code: string, { id }: Sent) => {
  const { rows } = await sql<{ posted: bigint }>`
    SELECT coalesce(sum(entry.amount), 0)::bigint AS posted
      FROM ledger_account AS account JOIN ledger_entry AS entry ON entry.account_id = account.id
      JOIN ledger_transaction AS posting ON posting.id = entry.transaction_id
     WHERE account.code = ${code} AND posting.subject_id = ${id}`.execute(db);
  return rows[0]?.posted;
};
const countOf = async (table: 'return_file' | 'return_entry' | 'ledger_transaction') => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.count;
};

describe('a return', () => {
  it('gives the money back before its file is settled, out of payouts in transit', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    expect(await postedOn('payouts_in_transit', one)).toBe(AMOUNT);
    const [entry] = await steps.book([returnOf(one)]);
    expect(entry).toMatchObject({
      status: 'booked',
      code: 'R03',
      amount: { minor: '40000' },
      isMarked: true,
      payment: { reference: one.reference, fileNumber: one.number, kind: 'withdrawal' },
    });
    expect(await steps.statusOf(one.id)).toBe('returned');
    expect(await balanceOf(one.who)).toBe(FUNDED);
    expect(await postedOn('payouts_in_transit', one)).toBe(0n);
    expect((await steps.bankOf(one)).status).toBe('returned');
    expect(await steps.lastNotice(one)).toMatch(/is in your wallet again\. The bank does not know/);

    // The settlement is about what did not come back.
    await steps.doAct('settle', one.fileId);
    expect([await steps.statusOf(one.id), await steps.statusOf(two.id)]).toEqual([
      'returned',
      'completed',
    ]);
    expect(await postedOn('payouts_in_transit', two)).toBe(0n);
    expect(await postedOn('payout_clearing', one)).toBe(0n);
    expect(await postedOn('payout_clearing', two)).toBe(AMOUNT);
  });

  it('gives the money back after its file was settled, out of the bank', async () => {
    const one = await steps.sentOne();
    await steps.doAct('settle', one.fileId);
    expect(await postedOn('payout_clearing', one)).toBe(AMOUNT);
    await steps.book([returnOf(one)]);
    expect(await balanceOf(one.who)).toBe(FUNDED);
    expect(await postedOn('payouts_in_transit', one)).toBe(0n);
    expect(await postedOn('payout_clearing', one)).toBe(0n);
  });

  it('says how many payouts to its account are held because of it', async () => {
    const one = await steps.sentOne();
    const waits = await steps.approved(one.who, 5_000n);
    await steps.approved();
    const [entry] = await steps.book([returnOf(one)]);
    expect(entry).toMatchObject({ isMarked: true, held: 1 });
    const stop = { id: waits.id, reason: 'Asked for another account' };
    await withTx(db, (tx) => withdrawalActs.stop(tx, services, other, stop));
    const two = await steps.sentOne();
    await steps.approved(two.who, 5_000n);
    // The account stays as it is, so nothing is held.
    expect(await steps.book([returnOf(two, { code: 'R06' })])).toMatchObject([{ held: 0 }]);
  });

  it('is booked once: not by the same file, nor by another one, nor after it was booked by hand', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    const text = returnsFile([returnOf(one, { number: 9001 })]).join('\n');
    await steps.bookText(text);
    const before = [await countOf('return_file'), await countOf('ledger_transaction')];
    await expect(steps.bookText(text)).rejects.toMatchObject({ code: 'return_file_booked' });
    const again = await steps.check(text);
    expect(again.bookedAs).toMatchObject({ fileName: 'northgate-returns.ach' });
    expect(again.booked.count).toBe(0);
    expect([await countOf('return_file'), await countOf('ledger_transaction')]).toEqual(before);

    // The same entry in another file, and another entry about the same payment.
    const entries = await steps.book([
      returnOf(one, { number: 9001 }),
      returnOf(one, { code: 'R02' }),
    ]);
    expect(entries.map(({ status, cause }) => [status, cause])).toEqual([
      ['repeated', null],
      ['repeated', 'returned'],
    ]);
    await steps.doAct('settle', two.fileId);
    const byHand = { id: two.id, reason: 'Account closed' };
    await withTx(db, (tx) => withdrawalActs.return(tx, services, other, byHand));
    expect(await steps.book([returnOf(two)])).toMatchObject([
      { status: 'repeated', cause: 'returned' },
    ]);
    expect(await balanceOf(two.who)).toBe(FUNDED);
  });

  it('is booked once within one file', async () => {
    const one = await steps.sentOne();
    const entries = await steps.book([returnOf(one), returnOf(one)]);
    expect(entries.map(({ status }) => status)).toEqual(['booked', 'repeated']);
    expect(await balanceOf(one.who)).toBe(FUNDED);
  });

  it('is booked once by two administrators who book one file concurrently', async () => {
    const one = await steps.sentOne();
    const text = returnsFile([returnOf(one, { number: 9100 })]).join('\n');
    const booked = await Promise.allSettled([
      steps.bookText(text, other),
      steps.bookText(text, admin),
    ]);
    const failed = booked.filter(({ status }) => status === 'rejected');
    expect(failed).toMatchObject([{ reason: { code: 'return_file_booked' } }]);
    expect(await balanceOf(one.who)).toBe(FUNDED);
  });

  it('is booked once by two administrators whose different files have it', async () => {
    const one = await steps.sentOne();
    const texts = [9200, 9201].map((number) => returnsFile([returnOf(one, { number })]).join('\n'));
    const files = await Promise.all(texts.map((text) => steps.bookText(text)));
    const entries = await Promise.all(files.map(({ id }) => getReturns(db, id)));
    const statuses = entries.flatMap((file) => file.entries.map(({ status }) => status));
    expect(statuses.toSorted()).toEqual(['booked', 'repeated']);
    expect(await balanceOf(one.who)).toBe(FUNDED);
  });

  it('locks people, requests and bank accounts in the order of their ids, whatever the order of its file', async () => {
    const idsOf: Record<string, (one: Sent) => string> = {
      app_user: ({ who }) => who.by.actor.id,
      wallet: ({ who }) => who.wallet.id,
      withdrawal: ({ id }) => id,
      bank_account: ({ who }) => who.bank.id,
    };
    for (const [table, idOf] of Object.entries(idsOf)) {
      const sent = await steps.sent(3);
      const backwards = sent.toSorted((one, two) => (idOf(one) < idOf(two) ? 1 : -1));
      await expectLocksInOrder(db, table, sent.map(idOf), () =>
        steps.book(backwards.map((one) => returnOf(one))),
      );
    }
  });

  it.each<[string, Partial<ReturnedEntry>, string]>([
    ['of a trace number of no file', { trace: '084207319999999' }, 'trace'],
    ['of an amount that differs by a cent', { amountMinor: AMOUNT + 1n }, 'amount'],
    ['with the reference of another payment', { reference: 'WD-00000001' }, 'reference'],
    ['that takes money instead of giving it back', { transactionCode: '26' }, 'debit'],
  ])('%s is unknown, and books nothing', async (_what, more, cause) => {
    const postings = await countOf('ledger_transaction');
    const [entry] = await steps.book([returnOf(still, { ...more, name: 'HOLLOWAY B' })]);
    expect(entry).toMatchObject({ status: 'unknown', cause, receiver: 'HOLLOWAY B' });
    expect(await steps.statusOf(still.id)).toBe('processing');
    expect(await countOf('ledger_transaction')).toBe(postings);
  });

  it('is unknown from another company with the trace number of ours', async () => {
    const text = returnsFile([returnOf(still, { reference: '' })], { companyId: '1999999999' });
    const { id } = await steps.bookText(text.join('\n'));
    const { entries } = await getReturns(db, id);
    expect(entries).toMatchObject([{ status: 'unknown', cause: 'company', payment: null }]);
    expect(await steps.statusOf(still.id)).toBe('processing');
  });

  it('is unknown for a payment whose file was cancelled, or was not sent', async () => {
    const payee = await steps.payee();
    const { id } = await steps.approved(payee);
    const file = await steps.make([id]);
    const [item] = (await getPayoutFile(db, services, admin, { number: file.number })).entries;
    const returned = { code: 'R03', trace: item?.traceNumber ?? '' };
    const entry = { ...returned, amountMinor: AMOUNT };
    expect(await steps.book([entry])).toMatchObject([{ status: 'unknown', cause: 'not_sent' }]);
    await steps.doAct('cancel', file.id);
    expect(await steps.book([entry])).toMatchObject([{ status: 'unknown', cause: 'trace' }]);
    expect(await steps.statusOf(id)).toBe('approved');
  });

  it.each(['R61', 'R67', 'R68', 'R71', 'R73'])(
    '%s, of a return, is listed and changes nothing',
    async (code) => {
      const [entry] = await steps.book([returnOf(still, { code })]);
      expect(entry).toMatchObject({ code, status: 'listed' });
      expect(await steps.statusOf(still.id)).toBe('processing');
    },
  );

  it.each<[string, boolean]>([
    ['R02', true],
    ['R16', true],
    ['R20', true],
    ['R06', false],
    ['R26', false],
  ])('%s marks the account: %s', async (code, isMarked) => {
    const one = await steps.sentOne();
    expect(await steps.book([returnOf(one, { code })])).toMatchObject([
      { status: 'booked', isMarked },
    ]);
    expect((await steps.bankOf(one)).status).toBe(isMarked ? 'returned' : 'verified');
  });

  it('counts on the page of payouts in its month, and today', async () => {
    const before = await getPayouts(db, services, other);
    const one = await steps.sentOne();
    const sent = await getPayouts(db, services, other);
    expect(sent.sentFiles.count).toBe(before.sentFiles.count + 1);
    expect(sent.sentFiles).toMatchObject({ from: '2026-12-09', to: '2026-12-09' });
    await steps.book([returnOf(one), { code: 'R04', trace: '084207319999993', amountMinor: 1n }]);
    const after = await getPayouts(db, services, other);
    for (const name of ['returnedThisMonth', 'returnedToday'] as const) {
      expect(after[name].count).toBe(before[name].count + 1);
      expect(BigInt(after[name].total.minor) - BigInt(before[name].total.minor)).toBe(AMOUNT);
      expect(after[name].fileNumbers).toContain(one.number);
    }
    expect(after.openReturns).toBe(before.openReturns + 1);
    const toDecide = await getReturns(db, after.openReturnsFileId ?? undefined);
    expect(toDecide.figures.unknown.count).toBeGreaterThan(0);
    const now = services.clock.now();
    services.clock.set('2026-12-31T20:00:00.000Z');
    expect(await getPayouts(db, services, other)).toMatchObject({
      returnedThisMonth: after.returnedThisMonth,
      returnedToday: { count: 0, fileNumbers: [] },
    });
    // 1 AM in UTC is still December at the company.
    services.clock.set('2027-01-01T01:00:00.000Z');
    expect((await getPayouts(db, services, other)).returnedThisMonth.count).toBeGreaterThan(0);
    services.clock.set('2027-01-01T06:00:00.000Z');
    expect((await getPayouts(db, services, other)).returnedThisMonth.count).toBe(0);
    services.clock.set(now.toISOString());
  });

  it('gives a bill back to its payer, and marks the payee', async () => {
    const { by, wallet } = await steps.payee();
    const payeeId = await outsidePayee(db, services, by, { name: 'Puget Power' });
    const input = { walletId: wallet.id, payeeId, payOn: '2026-12-08', dueOn: null, memo: '' };
    const bill = await withTx(db, (tx) =>
      scheduleBill(tx, services, by, { ...input, amount: money(1_500n, 'USD') }),
    );
    await takeBills(db, services);
    const file = await steps.make([], [bill.id]);
    await steps.download(file.id);
    await steps.doAct('send', file.id);
    const [item] = (await getPayoutFile(db, services, admin, { number: file.number })).entries;
    const trace = item?.traceNumber ?? '';
    const [changed] = await steps.book([{ code: 'C01', trace, corrected: '4400918' }]);
    expect(changed).toMatchObject({ status: 'listed', payment: { kind: 'bill' } });
    const notice = await db
      .selectFrom('notification')
      .select(['kind', 'message'])
      .where('userId', '=', by.actor.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(notice?.kind).toBe('payee-change-reported');
    expect(notice?.message).toMatch(
      /^The bank of Puget Power ••\d{4} asked for other details: acc/,
    );
    const entries = await steps.book([{ code: 'R04', trace, amountMinor: 1_500n }]);
    expect(entries).toMatchObject([
      { status: 'booked', isMarked: true, payment: { kind: 'bill' } },
    ]);
    const balances = await accountBalances(db, [wallet.ledgerAccountId]);
    expect(balances.get(wallet.ledgerAccountId)?.postedMinor).toBe(FUNDED);
  });

  it('is refused with its whole file to the administrator who paid it, where two people have to', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    await steps.enterBank({ separateReturnMinor: 1n });
    await sql`INSERT INTO duty_in_force (duty, since) VALUES ('return', now()) ON CONFLICT DO NOTHING`
      .execute(db)
      .catch(() => undefined);
    const entries = [returnOf(one), returnOf(two)];
    await expect(steps.book(entries, admin)).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    expect(await steps.statusOf(one.id)).toBe('processing');
    await steps.book(entries);
    await steps.enterBank({ separateReturnMinor: null });
  });
});

describe('an unknown return', () => {
  it('is booked to the payment of its amount that an administrator finds, once', async () => {
    const one = await steps.sentOne();
    const [entry] = await steps.book([returnOf(one, { trace: '084207319999998' })]);
    const id = entry?.id ?? '';
    const search = one.reference;
    const { payments } = await findReturnedPayments(db, { id, search });
    expect(payments).toMatchObject([{ reference: one.reference, amount: { minor: '40000' } }]);
    const itemId = payments[0]?.itemId ?? '';
    await withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId }));
    expect(await balanceOf(one.who)).toBe(FUNDED);
    const again = () => withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId }));
    await expect(again()).rejects.toMatchObject({ code: 'return_entry_decided' });
  });

  it('shows beforehand why it cannot be booked to a payment', async () => {
    const [one, two] = (await steps.sent(2)) as [Sent, Sent];
    const [entry] = await steps.book([returnOf(one, { trace: '084207319999997' })]);
    const id = entry?.id ?? '';
    const refusalTo = async (reference: string, by = other) => {
      const found = await findReturnedPayments(db, { id, search: reference });
      const { payments } = await offerBooking(db, services, by, found);
      return payments.map(({ refusal }) => refusal);
    };
    expect(await refusalTo(one.reference)).toEqual([null]);
    expect(await refusalTo(two.reference, two.who.by)).toEqual([
      'Someone else must decide on your own request.',
    ]);
    await steps.enterBank({ separateReturnMinor: 1n });
    expect(await refusalTo(one.reference, admin)).toEqual([
      expect.stringMatching(/^Someone else must do this, because you /),
    ]);
    await steps.enterBank({ separateReturnMinor: null });
    const found = await findReturnedPayments(db, { id, search: one.reference });
    const itemId = found.payments[0]?.itemId ?? '';
    await withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId }));
    expect((await offerBooking(db, services, other, found)).payments).toMatchObject([
      { refusal: expect.stringContaining('that was sent and has not come back') },
    ]);
  });

  it('is not booked to a payment of another amount, and is set aside', async () => {
    const one = await steps.sentOne();
    const [entry] = await steps.book([returnOf(one, { amountMinor: AMOUNT - 1n })]);
    const { id = '', payment } = entry ?? {};
    const itemId = payment?.itemId ?? '';
    expect((await findReturnedPayments(db, { id, search: '' })).payments).toEqual([]);
    await expect(
      withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId })),
    ).rejects.toMatchObject({ code: 'return_item_differs' });
    await withTx(db, (tx) => setReturnAside(tx, services, other, id));
    expect(await steps.statusOf(one.id)).toBe('processing');
    await expect(withTx(db, (tx) => setReturnAside(tx, services, other, id))).rejects.toMatchObject(
      { code: 'return_entry_decided' },
    );
  });
});
