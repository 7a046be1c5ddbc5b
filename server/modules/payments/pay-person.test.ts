import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { paymentRules, PERSON_PAYMENT_LIMITS } from '#contract/payments.ts';
import type { Db } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { fundedWallet, withdrawalOf } from '#test/factories/money.ts';
import { NOW, personPaymentsFixture } from '#test/person-payments-fixture.ts';

let db: Db;
const { services, run, payer, colleague, pay, availableOf, historyOf } = personPaymentsFixture(
  (company) => {
    ({ db } = company);
  },
);

describe('paying a person', () => {
  it('moves the money immediately, and both see it in their own words', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const paid = await pay(maya, keiko, 6_000n, { note: 'Farewell gift for Hannah' });
    expect(paid).toMatchObject({
      reference: expect.stringMatching(/^TXN-\d{8}$/),
      amount: { minor: '6000', currency: 'USD' },
      walletName: 'Salary Wallet',
      recipient: { id: keiko.actor.id, name: 'Keiko Tanabe' },
      note: 'Farewell gift for Hannah',
      paidAt: NOW,
      available: { minor: '475236', currency: 'USD' },
      documentId: expect.stringMatching(/^receipt\.[\da-f-]{36}\.salary$/),
    });
    expect(await availableOf(maya.by)).toBe('475236');
    expect(await availableOf(keiko)).toBe('6000');
    const [sent] = await historyOf(maya.by);
    expect(sent).toMatchObject({
      type: 'transfer',
      description: 'Payment to Keiko Tanabe',
      reference: paid.reference,
      status: 'completed',
      amount: { minor: '-6000' },
      note: 'Farewell gift for Hannah',
    });
    const [received] = await historyOf(keiko);
    expect(received).toMatchObject({
      type: 'transfer',
      description: 'Payment from Maya Castellanos',
      amount: { minor: '6000' },
      note: 'Farewell gift for Hannah',
    });
  });

  it('notifies both, and records it once', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const { id, reference } = await pay(maya, keiko, 6_000n, { note: 'Tea' });
    const notified = await db
      .selectFrom('notification')
      .select(['userId', 'title', 'message'])
      .where('relatedId', '=', id)
      .execute();
    expect(notified).toEqual(
      expect.arrayContaining([
        {
          userId: maya.by.actor.id,
          title: 'Payment Sent',
          message: `$60.00 went to Keiko Tanabe. Reference ${reference}.`,
        },
        {
          userId: keiko.actor.id,
          title: 'Payment Received',
          message: '$60.00 from Maya Castellanos is in your Salary Wallet. Note: Tea',
        },
      ]),
    );
    const audit = await db
      .selectFrom('auditEvent')
      .select(['action', 'actorId', 'personId'])
      .where('subjectId', '=', id)
      .execute();
    const { id: mayaId } = maya.by.actor;
    expect(audit).toEqual([{ action: 'person_payment.made', actorId: mayaId, personId: mayaId }]);
  });

  it('lets everything go that is available, and not a cent more', async () => {
    const maya = await payer(10_000n);
    const keiko = await colleague();
    await run((tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 4_000n)));
    await expect(pay(maya, keiko, 6_001n)).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $60.00',
    });
    await pay(maya, keiko, 6_000n);
    expect(await availableOf(maya.by)).toBe('0');
  });

  it('bounds one payment, and the payments of one day', async () => {
    const { mostMinor, dailyMinor } = PERSON_PAYMENT_LIMITS;
    const maya = await payer(dailyMinor * 2n);
    const keiko = await colleague();
    await expect(pay(maya, keiko, mostMinor + 1n)).rejects.toMatchObject({ code: 'payment_limit' });
    await pay(maya, keiko, mostMinor);
    await pay(maya, await colleague('Ana'), dailyMinor - mostMinor);
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({
      code: 'payment_daily_limit',
      message: 'This exceeds the daily limit of $10,000.00 for payments to people.',
    });
    // The day is the company's, in which 04:59 UTC still is the evening before.
    services.clock.set('2026-12-09T04:59:00.000Z');
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({ code: 'payment_daily_limit' });
    services.clock.set('2026-12-09T05:00:00.000Z');
    await pay(maya, keiko, 1n);
  });

  it.each([money(0n, 'USD'), money(-1n, 'USD'), money(100n, 'EUR')])(
    'refuses %o',
    async (amount) => {
      const maya = await payer();
      await expect(pay(maya, await colleague(), 1n, { amount })).rejects.toMatchObject({
        code: 'amount_invalid',
      });
    },
  );

  it('pays from no wallet of another person, and none that is closed', async () => {
    const maya = await payer();
    const other = await payer();
    const keiko = await colleague();
    const refusal = { code: 'wallet_not_found' };
    await expect(pay(maya, keiko, 1n, { walletId: other.wallet.id })).rejects.toMatchObject(
      refusal,
    );
    await expect(pay(maya, keiko, 1n, { walletId: newId() })).rejects.toMatchObject(refusal);
    const closed = await fundedWallet(db, services, maya.by, 100n, 'irs');
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date() })
      .where('id', '=', closed.id)
      .execute();
    await expect(pay(maya, keiko, 1n, { walletId: closed.id })).rejects.toMatchObject(refusal);
  });
});

describe('a note', () => {
  it.each([
    ['markup', '<img src=x onerror=alert(1)> & "quotes"'],
    ['right-to-left text', 'شكرا على الغداء'],
    ['emoji', '🎁 Thanks'],
  ])('with %s is kept as it is', async (_what, note) => {
    const maya = await payer();
    const keiko = await colleague();
    expect(paymentRules.note.problem(paymentRules.note.clean(note))).toBeUndefined();
    await pay(maya, keiko, 1n, { note });
    expect((await historyOf(keiko))[0]).toMatchObject({ note });
  });

  it.each([
    ['10,000 characters', 'x'.repeat(10_000)],
    ['several lines', 'one\ntwo'],
    ['a mark that turns the direction of what follows', 'ab\u202Ecd'],
  ])('of %s is refused', (_what, note) => {
    expect(paymentRules.note.problem(paymentRules.note.clean(note))).toBeDefined();
  });
});

describe('concurrently', () => {
  const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    );

  it('two payments and a withdrawal of everything leave one of them', async () => {
    const maya = await payer(10_000n);
    const keiko = await colleague();
    const results = await Promise.allSettled([
      pay(maya, keiko, 10_000n),
      run((tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 10_000n))),
      pay(maya, keiko, 10_000n),
    ]);
    const codes = codesOf(results);
    expect(codes.toSorted()).toEqual(['done', 'insufficient_funds', 'insufficient_funds']);
    expect(await availableOf(maya.by)).toBe('0');
  });

  it('the daily limit is not spent twice', async () => {
    const { mostMinor, dailyMinor } = PERSON_PAYMENT_LIMITS;
    const maya = await payer(dailyMinor * 4n);
    const keiko = await colleague();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => pay(maya, keiko, mostMinor)),
    );
    expect(codesOf(results).toSorted()).toEqual([
      'done',
      'done',
      'payment_daily_limit',
      'payment_daily_limit',
    ]);
  });

  it('two people who pay each other wait for each other', async () => {
    const maya = await payer(1_000n);
    const ben = await payer(1_000n);
    const payments = Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0 ? pay(maya, ben.by, 100n) : pay(ben, maya.by, 100n),
    );
    expect(codesOf(await Promise.allSettled(payments))).toEqual(Array(6).fill('done'));
    expect(await availableOf(maya.by)).toBe('1000');
  });
});
