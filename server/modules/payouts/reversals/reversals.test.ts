import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { act } from '#server/modules/acts/index.ts';
import { AMOUNT } from '#test/factories/payouts.ts';
import { openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { readNacha } from '../nacha/read-nacha.ts';
import type { ReadEntry } from '../nacha/read-nacha.ts';
import { getPayoutFile } from '../file-queries.ts';
import { payoutReversals } from './payout-reversal.ts';
import { downloadReversal, reversePayout } from './reverse-payout.ts';

const services = createTestServices();
let { db, admin, other, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, admin, other, steps } = desk);
});

const entryOf = async ({ number, id }: Sent) => {
  const { entries } = await getPayoutFile(db, services, admin, { number });
  return entries.find((entry) => entry.id === id);
};
const itemOf = async (one: Sent) => (await entryOf(one))?.itemId ?? '';
const reverse = async (one: Sent, by = admin) =>
  withTx(db, async (tx) =>
    reversePayout(tx, services, by, { itemId: await itemOf(one), reason: 'duplicate' }),
  );
const download = (id: string, by = admin) =>
  withTx(db, (tx) => downloadReversal(tx, services, by, id));
const doAct = (name: 'send' | 'cancel', id: string) =>
  withTx(db, (tx) => act(tx, services, admin, payoutReversals, name, { id }));
/** A reversal that was given to the bank. */
async function sentReversal(one: Sent) {
  const { id } = await reverse(one);
  await download(id);
  await doAct('send', id);
  return id;
}
const statusOf = async (id: string) =>
  (
    await db
      .selectFrom('payoutReversal')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;
/** Sets the time for a test, and back. */
async function at(time: string, work: () => Promise<unknown>): Promise<void> {
  const now = services.clock.now().toISOString();
  services.clock.set(time);
  await work().finally(() => services.clock.set(now));
}

describe('a bank-side reversal', () => {
  it('is a file with the debit of the payment, downloaded once, and posts nothing', async () => {
    const one = await steps.sentOne();
    const prepared = await reverse(one);
    expect(prepared).toMatchObject({ status: 'prepared', reason: 'duplicate', isBack: false });
    const { content, fileName } = await download(prepared.id);
    expect(fileName).toBe(`reversal-${prepared.number}.ach`);
    const entries: ReadEntry[] = [];
    await readNacha([content], (entry, { description, serviceClass }) => {
      expect([description, serviceClass]).toEqual(['REVERSAL', '225']);
      entries.push(entry);
    });
    expect(entries).toMatchObject([
      {
        transactionCode: '27',
        amountMinor: AMOUNT,
        identification: one.reference,
        traceNumber: one.trace,
        follows: [],
      },
    ]);
    await expect(download(prepared.id)).rejects.toMatchObject({
      code: 'payout_reversal_wrong_status',
    });
    await doAct('send', prepared.id);
    expect(await steps.statusOf(one.id)).toBe('processing');
    expect(await steps.lastNotice(one)).toMatch(/asked its bank to take back \$400\.00/);
    const rows = await db
      .selectFrom('auditEvent')
      .select('details')
      .where('subjectId', '=', prepared.id)
      .where('action', '=', 'payout_reversal.downloaded')
      .execute();
    expect(rows).toMatchObject([{ details: { contentHash: prepared.contentHash } }]);
  });

  it('has a credit of the company’s account where its bank wants balanced files', async () => {
    await steps.enterBank({ payoutIsBalanced: true });
    const one = await steps.sentOne();
    const { id } = await reverse(one);
    const { content } = await download(id);
    const codes: string[] = [];
    await readNacha([content], ({ transactionCode }, { serviceClass }) => {
      expect(serviceClass).toBe('200');
      codes.push(transactionCode);
    });
    expect(codes).toEqual(['27', '22']);
    await steps.enterBank();
  });

  it('is asked for once, however often at the same time, until it was cancelled', async () => {
    const one = await steps.sentOne();
    const asked = await Promise.allSettled([reverse(one), reverse(one, other), reverse(one)]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const refused of asked.filter(({ status }) => status === 'rejected')) {
      expect(refused).toMatchObject({ reason: { code: 'payout_reversal_asked' } });
    }
    expect(await entryOf(one)).toMatchObject({ reversibleUntil: null });
    const [live] = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await doAct('cancel', live?.id ?? '');
    await reverse(one);
  });

  it('is possible for five banking days after the payment settled', async () => {
    const one = await steps.sentOne();
    // It settles on December 9; the fifth banking day after that is the 16th.
    expect(await entryOf(one)).toMatchObject({ reversibleUntil: '2026-12-15' });
    await at('2026-12-16T15:00:00.000Z', async () => {
      await expect(reverse(one)).rejects.toMatchObject({
        code: 'payout_not_reversible',
        message: expect.stringContaining('Its last day was') as string,
      });
    });
    await at('2026-12-15T15:00:00.000Z', async () => {
      const { id, effectiveOn } = await reverse(one);
      expect(effectiveOn).toBe('2026-12-16');
      services.clock.set('2026-12-16T15:00:00.000Z');
      await expect(download(id)).rejects.toMatchObject({ code: 'payout_reversal_late' });
    });
  });

  it('is refused for what was not sent, came back, went elsewhere, is one’s own, or is no payment', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    const waiting = { id, number: file.number } as Sent;
    await expect(reverse(waiting)).rejects.toMatchObject({ code: 'payout_not_reversible' });

    const back = await steps.sentOne();
    await steps.book([returnOf(back)]);
    await expect(reverse(back)).rejects.toMatchObject({ code: 'payout_not_reversible' });

    const moved = await steps.sentOne();
    await db
      .updateTable('bankAccount')
      .set({ submittedAt: new Date('2026-12-20T00:00:00Z') })
      .where('id', '=', moved.who.bank.id)
      .execute();
    const elsewhere = expect.stringContaining('was changed since') as string;
    expect(await entryOf(moved)).toMatchObject({ reversalRefusal: elsewhere });
    await expect(reverse(moved)).rejects.toMatchObject({ message: elsewhere });
    await db
      .updateTable('bankAccount')
      .set({ submittedAt: new Date('2026-12-08T15:00:00Z') })
      .where('id', '=', moved.who.bank.id)
      .execute();

    const own = await steps.sentOne();
    const { entries } = await getPayoutFile(db, services, own.who.by, { number: own.number });
    const [{ reversalRefusal } = { reversalRefusal: '' }] = entries;
    await expect(reverse(own, own.who.by)).rejects.toMatchObject({
      code: 'own_request',
      message: reversalRefusal,
    });
    expect(await entryOf(own)).toMatchObject({ reversalRefusal: null });
    await expect(
      withTx(db, (tx) => reversePayout(tx, services, admin, { itemId: newId(), reason: 'date' })),
    ).rejects.toMatchObject({ code: 'payout_item_not_found' });
  });

  it('is not given out once the payment came back', async () => {
    const one = await steps.sentOne();
    const { id } = await reverse(one);
    await steps.book([returnOf(one)]);
    await expect(download(id)).rejects.toMatchObject({ code: 'payout_not_reversible' });
  });

  it('takes another administrator to download where duties say so', async () => {
    const one = await steps.sentOne();
    const { id } = await reverse(one);
    await steps.enterBank({ separatePayoutMinor: 1n });
    await expect(download(id)).rejects.toMatchObject({ code: 'second_person_needed' });
    await download(id, other);
    await steps.enterBank({ separatePayoutMinor: null });
  });

  it('that the other bank sends back is refused, and the payment stays where it is', async () => {
    const one = await steps.sentOne();
    const id = await sentReversal(one);
    const debit = returnOf(one, { code: 'R01', transactionCode: '26' });
    const [entry] = await steps.book([debit]);
    expect(entry).toMatchObject({ status: 'listed', cause: 'reversal' });
    expect(await statusOf(id)).toBe('refused');
    expect(await steps.statusOf(one.id)).toBe('processing');
    // Another one can be asked for.
    await reverse(one);
  });

  it('brings the money back by the bank’s word alone, once', async () => {
    const one = await steps.sentOne();
    await sentReversal(one);
    await steps.book([returnOf(one, { code: 'R06' })]);
    expect(await steps.statusOf(one.id)).toBe('returned');
    const { reversals } = await getPayoutFile(db, services, admin, { number: one.number });
    expect(reversals).toMatchObject([{ status: 'sent', isBack: true }]);
    const [again] = await steps.book([returnOf(one, { code: 'R01', number: 88_001 })]);
    expect(again).toMatchObject({ status: 'repeated', cause: 'returned' });
  });
});
