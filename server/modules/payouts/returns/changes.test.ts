import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { unsealAccountNumber } from '#server/modules/bank-accounts/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { withdrawalIn } from '#test/factories/money.ts';
import { changeOf, openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { THEIR_BANK } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { offerChanges } from './offer-changes.ts';
import { getReturns } from './queries.ts';
import { acceptChange, declineChange } from './decide-entry.ts';

const services = createTestServices();
let { db, admin, other, steps } = {} as ReturnDesk;
/** A payment on its way that no test gives back. */
let still: Sent;
openReturns(services, async (desk) => {
  ({ db, admin, other, steps } = desk);
  still = await steps.sentOne();
});

/** The sentence with which a page of returns says that a change would be refused. */
async function refusalOf(entry: { id: string } | undefined, by: CommandContext) {
  const { fileId } = await db
    .selectFrom('returnEntry')
    .select('fileId')
    .where('id', '=', entry?.id ?? '')
    .executeTakeFirstOrThrow();
  const { entries } = await offerChanges(db, services, by, await getReturns(db, fileId));
  return { message: entries.find(({ id }) => id === entry?.id)?.change?.refusal };
}

describe('a notification of change', () => {
  it('changes nothing by itself; accepted it is a changed account', async () => {
    const one = await steps.sentOne();
    await steps.doAct('settle', one.fileId);
    const before = await steps.bankOf(one);
    const [entry] = await steps.book([changeOf(one, 'C03', `${THEIR_BANK}   98765432100`)]);
    const { id = '' } = entry ?? {};
    expect(entry).toMatchObject({
      status: 'proposed',
      change: {
        before: { last4: before.last4, routingNumber: before.routingNumber },
        after: { last4: '2100', routingNumber: THEIR_BANK },
        // Six banking days after December 8.
        dueOn: '2026-12-16',
      },
    });
    expect(await steps.bankOf(one)).toEqual(before);

    await steps.enterBank({ payoutCoolingHours: 24 });
    await withTx(db, (tx) => acceptChange(tx, services, other, id));
    const after = await steps.bankOf(one);
    expect(after).toMatchObject({ status: 'verified', last4: '2100', routingNumber: THEIR_BANK });
    const sealed = after.accountNumberEncrypted;
    const place = { id: after.id, userId: after.userId, sealed };
    expect(await unsealAccountNumber(db, services.vault, place)).toBe('98765432100');
    expect(await steps.lastNotice(one)).toMatch(/asked for other details.*can be paid to it from/s);
    // Money to it waits, as for each changed account.
    const request = { payee: one.who, admin, status: 'processing', amountMinor: 100n } as const;
    await expect(withdrawalIn(db, services, request)).rejects.toMatchObject({
      code: 'payout_cooling_off',
    });
    await steps.enterBank({ payoutCoolingHours: 0 });
    await expect(withTx(db, (tx) => acceptChange(tx, services, other, id))).rejects.toMatchObject({
      code: 'return_entry_decided',
    });
  });

  it('is declined, and the account stays', async () => {
    const one = await steps.sentOne();
    const before = await steps.bankOf(one);
    const [entry] = await steps.book([changeOf(one, 'C01', '4400918')]);
    await withTx(db, (tx) => declineChange(tx, services, other, entry?.id ?? ''));
    expect(await steps.bankOf(one)).toEqual(before);
  });

  it('is refused while a payment is on its way, and after its owner changed the account', async () => {
    const one = await steps.sentOne();
    const [entry] = await steps.book([changeOf(one, 'C01', '4400919')]);
    const accept = () => withTx(db, (tx) => acceptChange(tx, services, other, entry?.id ?? ''));
    const refused = async (code: string) => ({ code, ...(await refusalOf(entry, other)) });
    const inUse = await refused('bank_account_in_use');
    await expect(accept()).rejects.toMatchObject(inUse);
    await steps.book([returnOf(one)]);
    const outdated = await refused('change_outdated');
    await expect(accept()).rejects.toMatchObject(outdated);
  });

  it('holds payments to its account until somebody decides', async () => {
    const one = await steps.sentOne();
    await steps.doAct('settle', one.fileId);
    const early = await steps.approved(one.who, 5_000n);
    const file = await steps.make([early.id]);
    const [first] = await steps.book([changeOf(one, 'C01', '4400922')]);
    // The one in a file does not reach the bank, and neither does the next one.
    await expect(steps.download(file.id)).rejects.toMatchObject({ code: 'payout_item_not_ready' });
    await steps.doAct('cancel', file.id);
    const late = await steps.approved(one.who, 5_000n);
    const ofAccount = async () => (await steps.held()).filter(({ id }) => ids.includes(id));
    const ids = [early.id, late.id];
    expect(await ofAccount()).toMatchObject([{ reason: 'change' }, { reason: 'change' }]);
    expect((await ofAccount())[0]?.refusal).toMatch(/Keep its old number on Returns, or stop this/);
    // Newer files do not hide the one that asks.
    await steps.book([changeOf(await steps.sentOne(), 'C04', 'MARTA')]);
    const [{ changeFileId } = { changeFileId: null }] = await ofAccount();
    const asking = await getReturns(db, changeFileId ?? undefined);
    expect(asking.entries).toMatchObject([{ id: first?.id, held: 2 }]);
    const start = (id: string) =>
      withTx(db, (tx) => withdrawalActs.startProcessing(tx, services, admin, { id }));
    for (const id of ids) {
      const refused = { code: 'payout_item_not_ready' };
      await expect(steps.make([id])).rejects.toMatchObject(refused);
      await expect(start(id)).rejects.toMatchObject({ code: 'payout_change_open' });
    }
    await withTx(db, (tx) => declineChange(tx, services, other, first?.id ?? ''));
    expect(await ofAccount()).toEqual([]);
    const next = await steps.make([early.id]);
    await steps.download(next.id);
    await steps.doAct('cancel', next.id);

    // Accepting it needs an account that nothing is on its way to.
    const [second] = await steps.book([changeOf(one, 'C01', '4400923')]);
    const accept = () => withTx(db, (tx) => acceptChange(tx, services, other, second?.id ?? ''));
    await expect(accept()).rejects.toMatchObject({ code: 'bank_account_in_use' });
    for (const id of ids) {
      const stop = { id, reason: 'The account is updated' };
      await withTx(db, (tx) => withdrawalActs.stop(tx, services, admin, stop));
    }
    await accept();
    const again = await steps.approved(one.who, 5_000n);
    expect(await ofAccount()).toEqual([]);
    await steps.make([again.id]);
  });

  it('holds nothing of others', async () => {
    const one = await steps.sentOne();
    await steps.book([changeOf(one, 'C01', '4400924')]);
    const two = await steps.approved();
    expect(await steps.make([two.id])).toMatchObject({ status: 'prepared', itemCount: 1 });
  });

  it('cannot be accepted by the person whose pay it would divert', async () => {
    const one = await steps.sentOne();
    await steps.doAct('settle', one.fileId);
    const [entry] = await steps.book([changeOf(one, 'C01', '4400920')]);
    const { by } = one.who;
    const asAdmin = { ...by, actor: { ...by.actor, role: 'admin' as const } };
    const said = await refusalOf(entry, asAdmin);
    await expect(
      withTx(db, (tx) => acceptChange(tx, services, asAdmin, entry?.id ?? '')),
    ).rejects.toMatchObject({ code: 'own_request', ...said });
    expect(await refusalOf(entry, other)).toEqual({ message: null });
  });

  it.each<[string, string, string]>([
    ['C04', 'CASTELLANOS MAYA', 'data'],
    ['C02', '123456789', 'data'],
    ['C01', '44-00918', 'data'],
    ['C05', '99', 'data'],
  ])('%s “%s” is listed', async (code, corrected, cause) => {
    expect(await steps.book([changeOf(still, code, corrected)])).toMatchObject([
      { status: 'listed', cause, change: null },
    ]);
  });

  it('is unknown for a payment that is not ours, and keeps no number', async () => {
    const entry = { code: 'C01', trace: '084207319999997', corrected: '4400921' };
    expect(await steps.book([entry])).toMatchObject([
      { status: 'unknown', cause: 'trace', change: null },
    ]);
    const { rows } = await sql`
      SELECT FROM return_entry WHERE to_jsonb(return_entry)::text LIKE '%4400921%'`.execute(db);
    expect(rows).toEqual([]);
  });
});
