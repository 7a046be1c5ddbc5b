import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentRules, PERSON_PAYMENT_LIMITS } from '#contract/payments.ts';
import { money } from '#contract/money.ts';
import { MAX_PAYEES } from '#contract/limits.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import { recentHistory, historyScope } from '#server/modules/history/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  withdrawalOf,
} from '#test/factories/money.ts';
import type { Payee as Payer } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listPayees, removePayee } from './payees.ts';
import { payPerson } from './pay-person.ts';
import type { NewPersonPayment } from './pay-person.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
});
afterEach(async () => {
  services.clock.set('2026-12-08T15:00:00.000Z');
  await expectSoundMoney(db);
});
afterAll(() => test.close());

const payer = (fundedMinor = 481_236n) =>
  createPayee(db, services, { admin, fundedMinor, firstName: 'Maya', lastName: 'Castellanos' });
/** A colleague with an empty wallet. */
async function colleague(firstName = 'Keiko'): Promise<CommandContext> {
  const by = await createPersonBy(db, { firstName, lastName: 'Tanabe' });
  await fundedWallet(db, services, by, 0n);
  return by;
}
const pay = (
  who: Pick<Payer, 'by' | 'wallet'>,
  to: CommandContext,
  minor: bigint,
  input: Partial<NewPersonPayment> = {},
) =>
  withTx(db, (tx) =>
    payPerson(tx, services, who.by, {
      walletId: who.wallet.id,
      recipientId: to.actor.id,
      amount: money(minor, 'USD'),
      note: '',
      savePayee: false,
      ...input,
    }),
  );
const availableOf = async ({ actor }: CommandContext) =>
  (await listWallets(db, actor.id)).totalAssets.minor;
const historyOf = async ({ actor }: CommandContext) =>
  recentHistory(db, await historyScope(db, actor.id, await readSettings(db)), 5);
const setAt = (id: string) =>
  db
    .updateTable('appUser')
    .set({ passwordResetAt: services.clock.now() })
    .where('id', '=', id)
    .execute();

describe('paying a person', () => {
  it('moves the money at once, and both see it in their own words', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const paid = await pay(maya, keiko, 6_000n, { note: 'Farewell gift for Hannah' });
    expect(paid).toMatchObject({
      reference: expect.stringMatching(/^TXN-\d{8}$/),
      amount: { minor: '6000', currency: 'USD' },
      walletName: 'Salary Wallet',
      recipient: { id: keiko.actor.id, name: 'Keiko Tanabe' },
      note: 'Farewell gift for Hannah',
      paidAt: '2026-12-08T15:00:00.000Z',
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
    await withTx(db, (tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 4_000n)));
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
      message: 'This would pass the daily limit of $10,000.00 for payments to people.',
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

describe('who cannot be paid', () => {
  it('is oneself, also into another wallet', async () => {
    const maya = await payer();
    await expect(pay(maya, maya.by, 1n)).rejects.toMatchObject({ code: 'own_payment' });
  });

  it('is nobody, an admin, an applicant, someone deactivated, frozen or without the wallet', async () => {
    const maya = await payer();
    const deactivated = await colleague();
    await withTx(db, (tx) =>
      deactivatePerson(tx, services, admin, { id: deactivated.actor.id, reason: 'Left' }),
    );
    const frozen = await colleague();
    await withTx(db, (tx) => freezePayouts(tx, services, frozen));
    const applicant = await colleague();
    await db
      .updateTable('appUser')
      .set({ acceptedAt: null })
      .where('id', '=', applicant.actor.id)
      .execute();
    const walletless = await createPersonBy(db);
    const saver = await createPersonBy(db);
    await fundedWallet(db, services, saver, 0n, 'savings');
    const closed = await colleague();
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date() })
      .where('userId', '=', closed.actor.id)
      .execute();
    const unknown = { actor: { ...admin.actor, id: newId() } };
    for (const to of [
      ...[unknown, admin, deactivated, frozen, applicant, walletless, saver, closed],
    ]) {
      await expect(pay(maya, to, 1n), to.actor.name).rejects.toMatchObject({
        code: 'recipient_not_found',
        message: 'No one can be paid at this address. Check the spelling.',
      });
    }
    expect(await availableOf(maya.by)).toBe('481236');
  });
});

describe('who cannot pay', () => {
  it('is someone without an approved identity, while the company asks for one', async () => {
    const by = await createPersonBy(db);
    const wallet = await fundedWallet(db, services, by, 500n);
    const keiko = await colleague();
    await expect(pay({ by, wallet }, keiko, 1n)).rejects.toMatchObject({
      code: 'identity_not_approved',
    });
    const require = (requireApprovedIdentity: boolean) =>
      withTx(db, (tx) => updateSettings(tx, services, admin, { requireApprovedIdentity }));
    await require(false);
    await pay({ by, wallet }, keiko, 1n);
    await require(true);
  });

  it('is an applicant', async () => {
    const maya = await payer();
    await db
      .updateTable('appUser')
      .set({ acceptedAt: null })
      .where('id', '=', maya.by.actor.id)
      .execute();
    await expect(pay(maya, await colleague(), 1n)).rejects.toMatchObject({
      code: 'payer_not_accepted',
    });
  });

  it('is someone whose payouts are frozen, or whose password was reset lately', async () => {
    const maya = await payer();
    const keiko = await colleague();
    await withTx(db, (tx) => updateSettings(tx, services, admin, { payoutCoolingHours: 24 }));
    await setAt(maya.by.actor.id);
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({
      code: 'payment_cooling_off',
      message: expect.stringContaining('You can pay from Dec 9, 2026, 10:00'),
    });
    services.clock.set('2026-12-09T15:00:00.000Z');
    await pay(maya, keiko, 1n);
    await withTx(db, (tx) => freezePayouts(tx, services, maya.by));
    await expect(pay(maya, keiko, 1n)).rejects.toMatchObject({ code: 'own_payouts_frozen' });
  });

  it('is everybody while the books are not sound', async () => {
    const maya = await payer();
    const stop = (payoutsStoppedAt: Date | null) =>
      db.updateTable('companySettings').set({ payoutsStoppedAt }).execute();
    await stop(new Date());
    await expect(pay(maya, await colleague(), 1n)).rejects.toMatchObject({
      code: 'payments_stopped',
    });
    await stop(null);
  });
});

describe('at once', () => {
  const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    );

  it('two payments and a withdrawal of everything leave one of them', async () => {
    const maya = await payer(10_000n);
    const keiko = await colleague();
    const results = await Promise.allSettled([
      pay(maya, keiko, 10_000n),
      withTx(db, (tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 10_000n))),
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
      ...['done', 'done', 'payment_daily_limit', 'payment_daily_limit'],
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

describe('a saved payee', () => {
  it('is listed once, with what was paid last, until it is removed', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const ana = await colleague('ana');
    await pay(maya, keiko, 100n, { savePayee: true });
    await pay(maya, keiko, 250n, { savePayee: true });
    await pay(maya, ana, 300n, { savePayee: true });
    const { items, cannotPay } = await listPayees(db, services, maya.by.actor.id);
    expect(cannotPay).toBeNull();
    expect(items.map(({ name }) => name)).toEqual(['ana Tanabe', 'Keiko Tanabe']);
    const [, saved] = items;
    expect(saved?.lastPaid).toMatchObject({ amount: { currency: 'USD' } });
    const remove = (by: CommandContext) =>
      withTx(db, (tx) => removePayee(tx, services, by, saved?.id ?? ''));
    await expect(remove(keiko)).rejects.toMatchObject({ code: 'payee_not_found' });
    await remove(maya.by);
    await expect(remove(maya.by)).rejects.toMatchObject({ code: 'payee_not_found' });
    const left = await listPayees(db, services, maya.by.actor.id);
    expect(left.items.map(({ name }) => name)).toEqual(['ana Tanabe']);
    await pay(maya, keiko, 1n, { savePayee: true });
    expect((await listPayees(db, services, maya.by.actor.id)).items).toHaveLength(2);
  });

  it('is refused past the most, and the payment with it', async () => {
    const maya = await payer();
    const keiko = await colleague();
    const others = await Promise.all(Array.from({ length: MAX_PAYEES }, () => createPersonBy(db)));
    const createdAt = services.clock.now();
    await db
      .insertInto('payee')
      .values(
        others.map(({ actor }) => ({
          id: newId(),
          userId: maya.by.actor.id,
          kind: 'colleague' as const,
          colleagueId: actor.id,
          createdAt,
        })),
      )
      .execute();
    await expect(pay(maya, keiko, 1n, { savePayee: true })).rejects.toMatchObject({
      code: 'payee_limit',
    });
    expect(await availableOf(maya.by)).toBe('481236');
    await pay(maya, keiko, 1n);
  });
});
