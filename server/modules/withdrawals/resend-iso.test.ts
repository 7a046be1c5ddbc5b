import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { verifiedBank } from '#test/factories/money.ts';
import { AMOUNT } from '#test/factories/payouts.ts';
import { openReturns } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { camt054, pain002 } from '#test/iso-messages.ts';
import { withdrawalActs } from './index.ts';
import { getOwnWithdrawal } from './queries.ts';
import { resendWithdrawal } from './resend-withdrawal.ts';

const services = createTestServices();
let { db, admin, steps } = {} as ReturnDesk;
openReturns(
  services,
  (desk) => {
    ({ db, admin, steps } = desk);
  },
  { payoutFormat: 'pain001_09' },
);

/** Makes each message another one. */
let messages = 0;
const book = (text: string) => {
  messages += 1;
  return steps.bookAll(text.replace('<MsgId>', `<MsgId>${messages}-`));
};
const BY: Readonly<Record<string, (sent: Sent) => string>> = {
  'pain.002': ({ number, reference, trace }) =>
    pain002({
      messageId: `20261208-${number}`,
      status: 'PART',
      batches: [
        {
          id: `20261208-${number}-1`,
          payments: [
            {
              endToEndId: reference,
              instructionId: trace,
              amountMinor: AMOUNT,
              status: 'RJCT',
              reason: 'AC04',
            },
          ],
        },
      ],
    }),
  'camt.054': ({ reference }) =>
    camt054([
      [
        {
          endToEndId: reference,
          amountMinor: AMOUNT,
          reason: 'AC04',
          reference: `N-${messages}`,
        },
      ],
    ]),
};

/** Sends a returned payment again to another account of its owner, by a file of its own. */
async function sendAgain({ who, id }: Sent): Promise<Sent> {
  const bank = await verifiedBank(db, services, { owner: who.by, admin });
  const order = { id, bankAccountId: bank.id };
  const again = await withTx(db, (tx) => resendWithdrawal(tx, services, who.by, order));
  await withTx(db, (tx) => withdrawalActs.approve(tx, services, admin, { id: again.id }));
  const file = await steps.make([again.id]);
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { traceNumber: trace } = await db
    .selectFrom('payoutFileItem')
    .select('traceNumber')
    .where('withdrawalId', '=', again.id)
    .executeTakeFirstOrThrow();
  const { reference } = again;
  return { who, id: again.id, fileId: file.id, number: file.number, trace, reference };
}

describe.each(Object.entries(BY))('a payment that %s sends back', (_name, returnOf) => {
  it('is sent again under its own number, comes back under that, and again', async () => {
    const first = await steps.sentOne();
    expect(await book(returnOf(first))).toMatchObject([{ status: 'booked' }]);
    const second = await sendAgain(first);
    expect(second.reference).toBe(`${first.reference}-2`);
    // An answer that the bank repeats is about the first one, not about the second one.
    expect(await book(returnOf(first))).toMatchObject([{ status: 'repeated' }]);
    expect(await steps.statusOf(second.id)).toBe('processing');
    expect(await book(returnOf(second))).toMatchObject([
      { status: 'booked', payment: { id: second.id, reference: second.reference } },
    ]);
    const third = await sendAgain(second);
    expect(third.reference).toBe(`${first.reference}-3`);
    await steps.doAct('settle', third.fileId);
    expect(await steps.statusOf(third.id)).toBe('completed');
    expect(await getOwnWithdrawal(db, services, first.who.by, first.id)).toMatchObject({
      status: 'returned',
      resentAs: { id: second.id },
    });
  });

  it('is sent again after its file was settled', async () => {
    const first = await steps.sentOne();
    await steps.doAct('settle', first.fileId);
    expect(await book(returnOf(first))).toMatchObject([{ status: 'booked' }]);
    const second = await sendAgain(first);
    await steps.doAct('settle', second.fileId);
    expect(await steps.statusOf(second.id)).toBe('completed');
  });
});
