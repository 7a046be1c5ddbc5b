import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import {
  createPayee,
  expectSoundMoney,
  fundedWallet,
  pendingBank,
  verifiedBank,
  withdrawalOf,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { withdrawalActs, requestWithdrawal } from './index.ts';
import type { NewWithdrawal } from './index.ts';
import { ownWithdrawals } from './own-list.ts';
import { getOwnWithdrawal } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
});
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

const payee = (fundedMinor?: bigint) =>
  createPayee(db, services, {
    admin,
    firstName: 'Maya',
    lastName: 'Castellanos',
    ...(fundedMinor === undefined ? {} : { fundedMinor }),
  });
const request = (by: CommandContext, input: NewWithdrawal) =>
  withTx(db, (tx) => requestWithdrawal(tx, services, by, input));
const ask = (who: Payee, minor: bigint, input: Partial<NewWithdrawal> = {}) =>
  request(who.by, withdrawalOf(who, minor, input));
const listOwn = async ({ by }: Payee, page: { page: number; pageSize: number }) =>
  ownWithdrawals.page(db, page, await readThingScope(services)(db, by));
const availableOf = async ({ by }: Payee) => (await listWallets(db, by.actor.id)).totalAssets.minor;

describe('requesting a withdrawal', () => {
  it('holds the amount immediately and says when it should arrive', async () => {
    const maya = await payee();
    const asked = await ask(maya, 32_000n, { urgency: 'medium', reason: 'December rent' });
    expect(asked).toMatchObject({
      status: 'pending',
      amount: { minor: '32000', currency: 'USD' },
      walletName: 'Salary Wallet',
      bankName: 'Cascade Federal Credit Union',
      urgency: 'medium',
      reason: 'December rent',
      rejectionReason: null,
      transactionReference: null,
      submittedAt: '2026-12-08T15:00:00.000Z',
      expected: { from: '2026-12-10', to: '2026-12-11' },
      history: [{ status: 'pending', by: 'Maya Castellanos', note: null }],
    });
    expect(asked.reference).toMatch(/^WD-\d{8}$/);
    const { accounts } = await listWallets(db, maya.by.actor.id);
    expect(accounts[0]).toMatchObject({
      balance: { minor: '481236' },
      held: { minor: '32000' },
      available: { minor: '449236' },
    });
  });

  it('notifies the person and the admins, writes it down and refreshes screens', async () => {
    const maya = await payee();
    const { id } = await ask(maya, 32_000n, { urgency: 'high' });
    const notified = await db
      .selectFrom('notification')
      .select(['userId', 'title', 'message'])
      .where('relatedId', '=', id)
      .execute();
    expect(notified).toContainEqual(
      expect.objectContaining({ userId: maya.by.actor.id, title: 'Withdrawal Submitted' }),
    );
    expect(notified).toContainEqual({
      userId: admin.actor.id,
      title: 'Withdrawal to approve',
      message: 'Maya Castellanos requested $320.00 (high urgency).',
    });
    const audit = await db
      .selectFrom('auditEvent')
      .select(['action', 'actorId', 'personId'])
      .where('subjectId', '=', id)
      .execute();
    const person = maya.by.actor.id;
    expect(audit).toEqual([{ action: 'withdrawal.requested', actorId: person, personId: person }]);
    const events = await db
      .selectFrom('outbox')
      .select('topic')
      .where('userId', '=', person)
      .where('kind', '=', 'event')
      .execute();
    expect(events.map((event) => event.topic)).toEqual(
      expect.arrayContaining(['withdrawals', 'wallets']),
    );
  });

  it('lets the whole balance go, and not a cent more', async () => {
    const maya = await payee(481_236n);
    await expect(ask(maya, 481_237n)).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $4,812.36',
    });
    await ask(maya, 481_236n);
    expect(await availableOf(maya)).toBe('0');
    await expect(ask(maya, 1n)).rejects.toMatchObject({ details: { available: '$0.00' } });
  });

  it('refuses far more than there is', async () => {
    const maya = await payee();
    await expect(ask(maya, 9_999_999_999_999n)).rejects.toMatchObject({
      code: 'insufficient_funds',
    });
  });

  it.each([money(0n, 'USD'), money(-1n, 'USD'), money(100n, 'EUR')])(
    'refuses %o',
    async (amount) => {
      const maya = await payee();
      await expect(ask(maya, 1n, { amount })).rejects.toMatchObject({ code: 'amount_invalid' });
    },
  );

  it("does not find another person's wallet, a closed or an unknown one", async () => {
    const maya = await payee();
    const other = await payee();
    const refusal = { code: 'wallet_not_found' };
    await expect(ask(maya, 1n, { walletId: other.wallet.id })).rejects.toMatchObject(refusal);
    await expect(ask(maya, 1n, { walletId: crypto.randomUUID() })).rejects.toMatchObject(refusal);
    const closed = await fundedWallet(db, services, maya.by, 100n, 'irs');
    await db
      .updateTable('wallet')
      .set({ closedAt: new Date() })
      .where('id', '=', closed.id)
      .execute();
    await expect(ask(maya, 1n, { walletId: closed.id })).rejects.toMatchObject(refusal);
  });

  it("refuses a bank account that is pending, another person's or unknown", async () => {
    const maya = await payee();
    const other = await payee();
    const pending = await pendingBank(db, services, maya.by);
    for (const bankAccountId of [pending.id, other.bank.id, crypto.randomUUID()]) {
      await expect(ask(maya, 1n, { bankAccountId })).rejects.toMatchObject({
        code: 'bank_account_not_verified',
        message: 'Please select a valid bank account',
      });
    }
  });

  it('needs an approved identity while the company asks for it', async () => {
    const by = await createPersonBy(db);
    const wallet = await fundedWallet(db, services, by, 1_000n);
    const bank = await verifiedBank(db, services, { owner: by, admin });
    const sam: Payee = { by, wallet, bank };
    await expect(ask(sam, 100n)).rejects.toMatchObject({ code: 'identity_not_approved' });
    const require = (requireApprovedIdentity: boolean) =>
      withTx(db, (tx) => updateSettings(tx, services, admin, { requireApprovedIdentity }));
    await require(false);
    await ask(sam, 100n);
    await require(true);
    await expect(ask(sam, 100n)).rejects.toMatchObject({ code: 'identity_not_approved' });
  });

  it('names the first thing that is wrong', async () => {
    const by = await createPersonBy(db);
    const wallet = await fundedWallet(db, services, by, 10n);
    const bank = await pendingBank(db, services, by);
    const wrong: Payee = { by, wallet, bank };
    const nowhere = crypto.randomUUID();
    await expect(ask(wrong, 0n, { walletId: nowhere })).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    await expect(ask(wrong, 99n, { walletId: nowhere })).rejects.toMatchObject({
      code: 'wallet_not_found',
    });
    await expect(ask(wrong, 99n)).rejects.toMatchObject({ code: 'bank_account_not_verified' });
    const good = await verifiedBank(db, services, { owner: by, admin });
    await expect(ask(wrong, 99n, { bankAccountId: good.id })).rejects.toMatchObject({
      code: 'identity_not_approved',
    });
  });

  it('lets two concurrent withdrawals go only as far as the money does, also to two banks', async () => {
    for (let round = 0; round < 5; round += 1) {
      const maya = await payee(10_000n);
      const second = await verifiedBank(db, services, { owner: maya.by, admin });
      const results = await Promise.allSettled([
        ask(maya, 6_000n),
        ask(maya, 6_000n, { bankAccountId: second.id }),
      ]);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toMatchObject([
        { reason: { code: 'insufficient_funds', details: { available: '$40.00' } } },
      ]);
      expect(await availableOf(maya)).toBe('4000');
    }
  });
});

describe('cancelling', () => {
  it('restores the balance immediately and frees the bank account', async () => {
    const maya = await payee();
    const { id } = await ask(maya, 32_000n);
    const cancelled = await withTx(db, (tx) =>
      withdrawalActs.cancel(tx, services, maya.by, { id }),
    );
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      expected: null,
      history: [{ status: 'pending' }, { status: 'cancelled', by: 'Maya Castellanos' }],
    });
    expect(await availableOf(maya)).toBe('481236');
    await expect(
      withTx(db, (tx) => withdrawalActs.cancel(tx, services, maya.by, { id })),
    ).rejects.toMatchObject({ code: 'withdrawal_not_cancellable' });
  });
});

describe("a person's own withdrawals", () => {
  it('are theirs alone', async () => {
    const maya = await payee();
    const other = await payee();
    const { id } = await ask(maya, 100n);
    const refusal = { code: 'withdrawal_not_found' };
    await expect(getOwnWithdrawal(db, services, other.by, id)).rejects.toMatchObject(refusal);
    await expect(
      withTx(db, (tx) => withdrawalActs.cancel(tx, services, other.by, { id })),
    ).rejects.toMatchObject(refusal);
    expect(await getOwnWithdrawal(db, services, maya.by, id)).toMatchObject({ id });
    expect((await listOwn(other, { page: 1, pageSize: 10 })).items).toEqual([]);
  });

  it('are paged, newest first', async () => {
    const maya = await payee();
    const ids: string[] = [];
    for (let minute = 10; minute < 15; minute += 1) {
      services.clock.set(`2026-12-08T15:${minute}:00.000Z`);
      ids.unshift((await ask(maya, 100n)).id);
    }
    const list = (page: number) => listOwn(maya, { page, pageSize: 2 });
    expect((await list(1)).items.map((item) => item.id)).toEqual(ids.slice(0, 2));
    expect((await list(3)).items.map((item) => item.id)).toEqual(ids.slice(4));
    expect([(await list(2)).hasMore, (await list(3)).hasMore]).toEqual([true, false]);
  });
});

it('expects arrival in business days of the company’s time zone', async () => {
  const maya = await payee();
  // Thursday evening in New York, Friday in UTC.
  services.clock.set('2026-12-11T02:00:00.000Z');
  const expected = async (urgency: NewWithdrawal['urgency']) =>
    (await ask(maya, 100n, { urgency })).expected;
  expect(await expected('high')).toEqual({ from: '2026-12-11', to: '2026-12-14' });
  expect(await expected('medium')).toEqual({ from: '2026-12-14', to: '2026-12-15' });
  expect(await expected('low')).toEqual({ from: '2026-12-15', to: '2026-12-17' });
});

it('is refused while the payouts of its owner are frozen, and holds nothing', async () => {
  const who = await payee();
  const freeze = (payoutsFrozenAt: Date | null) =>
    db.updateTable('appUser').set({ payoutsFrozenAt }).where('id', '=', who.by.actor.id).execute();
  await freeze(services.clock.now());
  await expect(ask(who, 1_000n)).rejects.toMatchObject({
    code: 'own_payouts_frozen',
    message: expect.stringContaining('An administrator must check it first.'),
  });
  const { accounts } = await listWallets(db, who.by.actor.id);
  expect(accounts[0]?.held.minor).toBe('0');
  await freeze(null);
  expect(await ask(who, 1_000n)).toMatchObject({ status: 'pending' });
});
