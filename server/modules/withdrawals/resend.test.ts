import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { firstView } from '#contract/list.ts';
import { withdrawalList } from '#contract/lists.ts';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { pendingBank, verifiedBank, withdrawalIn, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { AMOUNT, FUNDED } from '#test/factories/payouts.ts';
import { openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { adminWithdrawals } from './admin-list.ts';
import { withdrawalActs, requestWithdrawal } from './index.ts';
import { getAdminWithdrawal, getOwnWithdrawal } from './queries.ts';
import { resendWithdrawal } from './resend-withdrawal.ts';

const services = createTestServices();
let { db, admin, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, admin, steps } = desk);
});

const resend = (who: Payee, id: string, bankAccountId: string) =>
  withTx(db, (tx) => resendWithdrawal(tx, services, who.by, { id, bankAccountId }));
const anotherBank = async (who: Payee) =>
  (await verifiedBank(db, services, { owner: who.by, admin })).id;
/** A payment that came back, and another account of its owner. */
async function returned(code = 'R03'): Promise<Sent & { bankId: string }> {
  const one = await steps.sentOne();
  await steps.book([returnOf(one, { code })]);
  return { ...one, bankId: await anotherBank(one.who) };
}
const own = (who: Payee, id: string) => getOwnWithdrawal(db, services, who.by, id);
const availableOf = async ({ by }: Payee) => (await listWallets(db, by.actor.id)).totalAssets.minor;
const cancel = (who: Payee, id: string) =>
  withTx(db, (tx) => withdrawalActs.cancel(tx, services, who.by, { id }));
const approve = (id: string, by = admin) =>
  withTx(db, (tx) => withdrawalActs.approve(tx, services, by, { id }));
/** Sends an approved one in a file of its own. */
async function sendInFile(who: Payee, id: string): Promise<Sent> {
  const file = await steps.make([id]);
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { reference } = await own(who, id);
  const { traceNumber: trace } = await db
    .selectFrom('payoutFileItem')
    .select('traceNumber')
    .where('withdrawalId', '=', id)
    .executeTakeFirstOrThrow();
  return { who, id, fileId: file.id, number: file.number, trace, reference };
}
const countOf = async () => {
  const { rows } = await sql<{ count: number }>`
    SELECT (SELECT count(*) FROM withdrawal)::int + (SELECT count(*) FROM ledger_hold)::int
           + (SELECT count(*) FROM audit_event)::int AS count`.execute(db);
  return rows[0]?.count;
};
const search = async (text: string) => {
  const query = { ...firstView(withdrawalList), search: text, page: 1, pageSize: 10 };
  const { items } = await adminWithdrawals.page(
    db,
    query,
    await readThingScope(services)(db, admin),
  );
  return items.map(({ reference }) => reference);
};

describe('a withdrawal that the bank sent back', () => {
  it('is sent again under its own number, and both name each other', async () => {
    const { who, id, reference, bankId } = await returned();
    const again = await resend(who, id, bankId);
    expect(again).toMatchObject({
      reference: `${reference}-2`,
      status: 'pending',
      amount: money(AMOUNT, 'USD'),
      bankAccountId: bankId,
      resends: { id, reference },
      resentAs: null,
    });
    expect(await own(who, id)).toMatchObject({
      status: 'returned',
      resends: null,
      resentAs: { id: again.id, reference: `${reference}-2` },
      acts: [],
    });
    expect(await availableOf(who)).toBe(String(FUNDED - AMOUNT));
    expect(await steps.lastNotice({ who } as Sent)).toBe(
      `$400.00 to Cascade Federal Credit Union ••${again.bankLast4} is waiting for approval. ` +
        `It is ${reference}-2, in place of ${reference}, which the bank sent back.`,
    );
    const { rows } = await sql<{ action: string; details: Record<string, string> }>`
      SELECT action, details FROM audit_event WHERE subject_id IN (${id}, ${again.id})
       ORDER BY audit_event.id DESC LIMIT 2`.execute(db);
    expect(rows.toSorted((a, b) => a.action.localeCompare(b.action))).toMatchObject([
      { action: 'withdrawal.requested', details: { resendsId: id, reference: `${reference}-2` } },
      {
        action: 'withdrawal.resent',
        details: { resentAs: again.id, resentReference: `${reference}-2` },
      },
    ]);
  });

  it('is approved and paid by a file like all others, and posted under that number', async () => {
    const { who, id, reference, bankId } = await returned();
    const again = await resend(who, id, bankId);
    await approve(again.id);
    const sent = await sendInFile(who, again.id);
    expect(sent.reference).toBe(`${reference}-2`);
    await steps.doAct('settle', sent.fileId);
    expect(await getAdminWithdrawal(db, services, admin, again.id)).toMatchObject({
      status: 'completed',
      transactionReference: `${reference.replace('WD', 'TXN')}-2`,
    });
  });

  it('is found with all its attempts by its number, and each by its own', async () => {
    const { who, id, reference, bankId } = await returned();
    await resend(who, id, bankId);
    expect((await search(reference)).toSorted()).toEqual([reference, `${reference}-2`]);
    expect(await search(`${reference}-2`)).toEqual([`${reference}-2`]);
  });

  it('is sent again once, however often it is asked for at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { who, id, bankId } = await returned();
      const asked = await Promise.allSettled([1, 2, 3].map(() => resend(who, id, bankId)));
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of asked.filter(({ status }) => status === 'rejected')) {
        expect(one).toMatchObject({ reason: { code: 'request_sent_again' } });
      }
      expect(await availableOf(who)).toBe(String(FUNDED - AMOUNT));
    }
  });

  it('gives way to a third attempt after the second was cancelled, and after it came back', async () => {
    const { who, id, reference, bankId } = await returned();
    const second = await resend(who, id, bankId);
    await cancel(who, second.id);
    expect((await own(who, id)).acts).toEqual([{ act: 'resend', refusal: null }]);
    const third = await resend(who, id, bankId);
    expect(third).toMatchObject({ reference: `${reference}-3`, resends: { id } });
    await approve(third.id);
    const sent = await sendInFile(who, third.id);
    await steps.book([returnOf(sent, { code: 'R01' })]);
    await expect(resend(who, id, bankId)).rejects.toMatchObject({ code: 'request_sent_again' });
    const fourth = await resend(who, third.id, await anotherBank(who));
    expect(fourth).toMatchObject({
      reference: `${reference}-4`,
      resends: { id: third.id, reference: `${reference}-3` },
    });
  });

  it.each(WITHDRAWAL_STATUSES.filter((status) => status !== 'returned'))(
    'is not one that is %s',
    async (status) => {
      const who = await steps.payee();
      const { id } = await withdrawalIn(db, services, {
        payee: who,
        admin,
        status,
        amountMinor: 100n,
      });
      await expect(resend(who, id, who.bank.id)).rejects.toMatchObject({
        code: 'withdrawal_wrong_status',
      });
    },
  );
});

describe('nothing is sent again, and nothing changes,', () => {
  it('to an account that came back, is not verified, was removed, or is of another person', async () => {
    const { who, id, bankId } = await returned();
    const pending = await pendingBank(db, services, who.by);
    const { bank } = await steps.payee();
    await withTx(db, (tx) => bankAccountActs.remove(tx, services, who.by, { id: bankId }));
    const before = await countOf();
    for (const to of [who.bank.id, pending.id, bankId, bank.id, newId()]) {
      await expect(resend(who, id, to)).rejects.toMatchObject({
        code: 'bank_account_not_verified',
      });
    }
    expect(await countOf()).toBe(before);
    expect((await own(who, id)).resentAs).toBeNull();
  });

  it('once the money was spent', async () => {
    const { who, id, bankId } = await returned();
    const all = withdrawalOf(who, FUNDED - AMOUNT + 1n, { bankAccountId: bankId });
    await withTx(db, (tx) => requestWithdrawal(tx, services, who.by, all));
    const before = await countOf();
    await expect(resend(who, id, bankId)).rejects.toMatchObject({
      code: 'insufficient_funds',
      details: { available: '$399.99' },
    });
    expect(await countOf()).toBe(before);
  });

  it('by another person, nor while payouts are frozen or the wallet is closed', async () => {
    const { who, id, bankId } = await returned();
    const stranger = await steps.payee();
    await expect(resend(stranger, id, stranger.bank.id)).rejects.toMatchObject({
      code: 'withdrawal_not_found',
    });
    const userId = who.by.actor.id;
    const freeze = (payoutsFrozenAt: Date | null) =>
      db.updateTable('appUser').set({ payoutsFrozenAt }).where('id', '=', userId).execute();
    await freeze(new Date());
    await expect(resend(who, id, bankId)).rejects.toMatchObject({ code: 'own_payouts_frozen' });
    await freeze(null);
    const close = (closedAt: Date | null) =>
      db.updateTable('wallet').set({ closedAt }).where('id', '=', who.wallet.id).execute();
    await close(new Date());
    await expect(resend(who, id, bankId)).rejects.toMatchObject({ code: 'wallet_not_found' });
    await close(null);
    await resend(who, id, bankId);
  });

  it('while another bank has rejected the return, until that is contested', async () => {
    const one = await returned();
    const { who, id, bankId } = one;
    await steps.book([returnOf(one, { code: 'R61' })]);
    expect((await own(who, id)).acts).toMatchObject([
      { act: 'resend', refusal: expect.stringMatching(/^Another bank has rejected this return/) },
    ]);
    await expect(resend(who, id, bankId)).rejects.toMatchObject({ code: 'return_disputed' });
    services.clock.set(new Date(services.clock.now().getTime() + 60_000).toISOString());
    await steps.book([returnOf(one, { code: 'R71' })]);
    await resend(who, id, bankId);
  });

  it('nor approved, nor paid by a file, if the return is rejected afterwards', async () => {
    const one = await returned();
    const asked = await resend(one.who, one.id, one.bankId);
    await steps.book([returnOf(one, { code: 'R61' })]);
    await expect(approve(asked.id)).rejects.toMatchObject({ code: 'return_disputed' });

    const two = await returned();
    const again = await resend(two.who, two.id, two.bankId);
    await approve(again.id);
    await steps.book([returnOf(two, { code: 'R61' })]);
    expect((await steps.held()).find(({ id }) => id === again.id)).toMatchObject({
      reason: 'other',
    });
    await expect(steps.make([again.id])).rejects.toMatchObject({ code: 'payout_item_not_ready' });
  });

  it('of a payment to which another company’s dispute has the trace number', async () => {
    const one = await returned();
    await steps.bookText(
      returnsFile([returnOf(one, { code: 'R61', number: 77_001 })], {
        companyId: '1999999999',
      }).join('\n'),
    );
    expect(await resend(one.who, one.id, one.bankId)).toMatchObject({ status: 'pending' });
  });

  it('past the commands, in SQL', async () => {
    const { who, id, bankId } = await returned();
    const again = await resend(who, id, bankId);
    await cancel(who, again.id);
    const copy = (change: string) =>
      withTx(db, (tx) =>
        sql`
        INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4, amount_minor,
                                currency, urgency, reason, hold_id, requested_at, updated_at, resends_id)
        SELECT gen_random_uuid(), changed.reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4,
               changed.amount_minor, currency, urgency, reason, gen_random_uuid(), now(), now(), changed.resends_id
          FROM withdrawal, LATERAL (SELECT ${sql.raw(change)}) AS changed
         WHERE withdrawal.id = ${again.id}`.execute(tx),
      );
    const refused = { constraint: 'withdrawal_resends' };
    const number = `reference || '9'`;
    await expect(
      copy(`${number} AS reference, amount_minor + 1 AS amount_minor, resends_id`),
    ).rejects.toMatchObject(refused);
    await expect(
      copy(`'WD-99999999-2' AS reference, amount_minor, resends_id`),
    ).rejects.toMatchObject(refused);
    await expect(
      copy(`${number} AS reference, amount_minor, withdrawal.id AS resends_id`),
    ).rejects.toMatchObject(refused);
  });
});
