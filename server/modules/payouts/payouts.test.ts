import { sql } from 'kysely';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { accountBalances, placeHold } from '#server/modules/ledger/index.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { createPayee, expectSoundMoney } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { AMOUNT, FUNDED, payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectLocksInOrder } from '#test/start-and-block.ts';
import { openOwner } from '#test/unguarded.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { getPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let other: CommandContext;
let steps: ReturnType<typeof payoutSteps>;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  other = await createPersonBy(db, { role: 'admin', firstName: 'Theo', lastName: 'Marchetti' });
  steps = payoutSteps(db, services, admin);
  await steps.enterBank();
});
afterEach(() => expectSoundMoney(db));
afterEach(() => steps.expectSound());
afterAll(() => test.close());

const statusOf = async (table: 'withdrawal' | 'bill', id: string) =>
  (await db.selectFrom(table).select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;
const balanceOf = async ({ wallet }: Payee) =>
  (await accountBalances(db, [wallet.ledgerAccountId])).get(wallet.ledgerAccountId);
/** A bill of 15.00 to a business, which can leave. */
const dueBill = async ({ by, wallet }: Payee) => {
  const payeeId = await outsidePayee(db, services, by, { name: 'Puget Power & Light' });
  const input = {
    walletId: wallet.id,
    payeeId,
    payOn: '2026-12-08',
    dueOn: null,
    memo: 'December',
  };
  const amount = money(1_500n, 'USD');
  const { id } = await withTx(db, (tx) => scheduleBill(tx, services, by, { ...input, amount }));
  await takeBills(db, services);
  return id;
};
const inTransit = async () => {
  const { rows } = await sql<{ posted: bigint }>`
    SELECT coalesce(sum(posted), 0)::bigint AS posted FROM ledger_account
     WHERE code = 'payouts_in_transit'`.execute(db);
  return rows[0]?.posted;
};

describe('a payout file', () => {
  it('locks the accounts of its withdrawals and its bills in one order', async () => {
    const owner = openOwner(test.ownerUrl);
    const payer = await steps.payee();
    const bill = await dueBill(payer);
    const { id, who } = await steps.approved();
    const file = await steps.make([id], [bill]);
    await steps.download(file.id);
    const accounts = [payer, who].map(({ wallet }) => wallet.ledgerAccountId);
    await expectLocksInOrder(owner.db, 'ledger_account', accounts, () =>
      steps.doAct('send', file.id),
    );
    await steps.doAct('settle', file.id);
    await owner.close();
  });

  it('pays what it was made of, and its clearing account returns to zero', async () => {
    const one = await steps.approved();
    const two = await steps.approved();
    const before = (await getPayouts(db, services, admin)).ready.map(({ id }) => id);
    expect(before).toEqual(expect.arrayContaining([one.id, two.id]));
    const file = await steps.make([one.id, two.id]);
    expect(file).toMatchObject({ status: 'prepared', itemCount: 2, total: { minor: '80000' } });
    expect((await getPayouts(db, services, admin)).ready).toEqual([]);
    expect(await balanceOf(one.who)).toMatchObject({ postedMinor: FUNDED, heldMinor: AMOUNT });

    const { content, fileName } = await steps.download(file.id);
    expect(fileName).toBe(`payout-${file.number}.ach`);
    const paid: [string, bigint][] = [];
    await readNacha([content], (entry) => paid.push([entry.identification, entry.amountMinor]));
    const { entries } = await getPayoutFile(db, services, admin, file);
    expect(paid).toEqual(entries.map(({ reference }) => [reference, AMOUNT]));

    await steps.doAct('send', file.id);
    expect(await statusOf('withdrawal', one.id)).toBe('processing');
    const gone = { postedMinor: FUNDED - AMOUNT, heldMinor: 0n, availableMinor: FUNDED - AMOUNT };
    expect(await balanceOf(one.who)).toEqual(gone);
    expect(await inTransit()).toBe(2n * AMOUNT);
    await steps.expectSound();

    await steps.doAct('settle', file.id);
    expect(await statusOf('withdrawal', one.id)).toBe('completed');
    expect(await balanceOf(two.who)).toEqual(gone);
    expect(await inTransit()).toBe(0n);

    const reason = 'Account closed';
    await withTx(db, (tx) => withdrawalActs.return(tx, services, other, { id: one.id, reason }));
    expect(await balanceOf(one.who)).toMatchObject({ postedMinor: FUNDED, availableMinor: FUNDED });
    expect(await inTransit()).toBe(0n);
  });

  it('is given out once, and again only with a reason, as the same bytes', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    const first = await steps.download(file.id);
    await expect(steps.download(file.id)).rejects.toMatchObject({
      code: 'payout_file_wrong_status',
    });
    const again = await steps.download(file.id, 'The copy was lost');
    expect(again.content).toBe(first.content);
    const { rows } = await sql<{ action: string; hash: string; reason: string | null }>`
      SELECT action, details ->> 'contentHash' AS hash, details ->> 'reason' AS reason
        FROM audit_event WHERE subject_id = ${file.id} ORDER BY id`.execute(db);
    const hash = file.contentHash;
    expect(rows).toEqual([
      { action: 'payout_file.made', hash, reason: null },
      { action: 'payout_file.downloaded', hash, reason: null },
      { action: 'payout_file.downloaded_again', hash, reason: 'The copy was lost' },
    ]);
    await steps.doAct('cancel', file.id);
  });

  it('is cancelled before it was sent, and its payments are ready again under another number', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    await steps.doAct('cancel', file.id);
    expect(await statusOf('withdrawal', id)).toBe('approved');
    const next = await steps.make([id]);
    expect(Number(next.number)).toBe(Number(file.number) + 1);
    await steps.download(next.id);
    await steps.doAct('send', next.id);
    for (const name of ['cancel', 'send'] as const) {
      await expect(steps.doAct(name, next.id)).rejects.toMatchObject({
        code: 'payout_file_wrong_status',
      });
    }
    await steps.doAct('settle', next.id);
  });

  it('made by two administrators at the same time has each payment once', async () => {
    const { id } = await steps.approved();
    const made = await Promise.allSettled([steps.make([id]), steps.make([id], [], { by: other })]);
    const failed = made.filter(({ status }) => status === 'rejected');
    expect(failed).toMatchObject([{ reason: { code: 'payout_item_not_ready' } }]);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM payout_file_item WHERE withdrawal_id = ${id}`.execute(db);
    expect(rows[0]?.count).toBe(1);
    const [file] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await steps.doAct('cancel', file?.id ?? '');
  });

  it('has no payment that another live file has, whoever writes', async () => {
    const [one, two] = [
      await steps.make([(await steps.approved()).id]),
      await steps.make([(await steps.approved()).id]),
    ];
    const twice = sql`
      INSERT INTO payout_file_item (id, file_id, batch_number, trace_number, payees, effective_on, withdrawal_id,
                                    amount_minor)
      SELECT gen_random_uuid(), ${two.id}, batch_number, '084207310009998', payees, effective_on, withdrawal_id,
             amount_minor
        FROM payout_file_item WHERE file_id = ${one.id}`.execute(db);
    await expect(twice).rejects.toMatchObject({ constraint: 'payout_file_item_withdrawal' });
    for (const file of [one, two]) await steps.doAct('cancel', file.id);
  });

  it('is the only way in which its payments leave, or are stopped', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    const inFile = { code: 'payout_in_file' };
    const byHand = withTx(db, (tx) => withdrawalActs.startProcessing(tx, services, admin, { id }));
    await expect(byHand).rejects.toMatchObject(inFile);
    const stopping = { id, reason: 'Twice' };
    const stop = () => withTx(db, (tx) => withdrawalActs.stop(tx, services, admin, stopping));
    await expect(stop()).rejects.toMatchObject(inFile);
    await steps.download(file.id);
    await steps.doAct('send', file.id);
    await expect(stop()).rejects.toMatchObject({ code: 'withdrawal_wrong_status' });
    const complete = withTx(db, (tx) => withdrawalActs.complete(tx, services, admin, { id }));
    await expect(complete).rejects.toMatchObject({
      code: 'payout_sent_in_file',
      details: { number: file.number },
    });
    expect(await inTransit()).toBe(AMOUNT);
    await steps.doAct('settle', file.id);
    expect(await inTransit()).toBe(0n);
  });

  it.each(['choice', 'download'])(
    'is refused if an owner was frozen before the %s',
    async (when) => {
      const { id, who } = await steps.approved();
      const freeze = (at: Date | null) =>
        sql`UPDATE app_user SET payouts_frozen_at = ${at} WHERE id = ${who.by.actor.id}`.execute(
          db,
        );
      const refusal = {
        code: 'payout_item_not_ready',
        details: { why: expect.any(String) as string },
      };
      if (when === 'choice') {
        await freeze(services.clock.now());
        await expect(steps.make([id])).rejects.toMatchObject(refusal);
        const { held } = await getPayouts(db, services, admin);
        expect(held.find((one) => one.id === id)?.reason).toBe('frozen');
        await freeze(null);
        return;
      }
      const file = await steps.make([id]);
      await freeze(services.clock.now());
      await expect(steps.download(file.id)).rejects.toMatchObject(refusal);
      await freeze(null);
      await steps.doAct('cancel', file.id);
    },
  );

  it('is refused with what was cancelled, stopped or never there, and changes nothing', async () => {
    const { id } = await steps.approved();
    const gone = await steps.approved();
    const stopping = { id: gone.id, reason: 'Twice' };
    await withTx(db, (tx) => withdrawalActs.stop(tx, services, admin, stopping));
    await expect(steps.make([id, gone.id])).rejects.toMatchObject({
      code: 'payout_item_not_ready',
    });
    const nobodys = '00000000-0000-7000-8000-000000000000';
    await expect(steps.make([id, nobodys])).rejects.toMatchObject({ code: 'withdrawal_not_found' });
    await expect(steps.make([], [id])).rejects.toMatchObject({ code: 'bill_not_found' });
    expect((await getPayouts(db, services, admin)).ready.map((one) => one.id)).toContain(id);
    await steps.doAct('cancel', (await steps.make([id])).id);
  });

  it('takes no own payment of the administrator', async () => {
    const own = await createPayee(db, services, { admin, fundedMinor: FUNDED });
    const { id } = await steps.approved(own);
    const asAdmin = { ...own.by, actor: { ...own.by.actor, role: 'admin' as const } };
    await expect(steps.make([id], [], { by: asAdmin })).rejects.toMatchObject({
      code: 'payout_item_not_ready',
    });
  });

  it('takes a second administrator where payouts of that amount do', async () => {
    const { id } = await steps.approved();
    const file = await steps.make([id]);
    await steps.enterBank({ separatePayoutMinor: 1n });
    await sql`INSERT INTO duty_in_force (duty, since) VALUES ('payout', now()) ON CONFLICT DO NOTHING`
      .execute(db)
      .catch(() => undefined);
    const { waitsFor } = await getPayoutFile(db, services, admin, file);
    expect(waitsFor).toEqual(['Theo Marchetti']);
    await expect(steps.download(file.id)).rejects.toMatchObject({ code: 'second_person_needed' });
    await steps.download(file.id, undefined, other);
    await steps.enterBank({ separatePayoutMinor: null });
    await steps.doAct('cancel', file.id);
  });

  it('pays bills to businesses in a batch of their own, with words for the payee', async () => {
    const { id, who } = await steps.approved();
    const billId = await dueBill(who);
    const file = await steps.make([id], [billId]);
    expect(file.batches).toMatchObject([
      { number: 1, payees: 'people', effectiveOn: '2026-12-09', count: 1 },
      { number: 2, payees: 'businesses', effectiveOn: '2026-12-09', count: 1 },
    ]);
    const { content } = await steps.download(file.id);
    const notes: unknown[] = [];
    await readNacha([content], ({ follows }, { entryClass }) =>
      notes.push([entryClass, follows[0]]),
    );
    expect(notes).toMatchObject([
      ['PPD', undefined],
      ['CCD', { kind: 'note', text: expect.stringContaining('December') as string }],
    ]);
    await steps.doAct('send', file.id);
    expect(await statusOf('bill', billId)).toBe('sent');
    expect(await inTransit()).toBe(AMOUNT + 1_500n);
    await steps.expectSound();
    await steps.doAct('settle', file.id);
    expect(await statusOf('bill', billId)).toBe('paid');
    expect(await inTransit()).toBe(0n);
  });

  it('is sent while another command has its bill and then needs the wallet, without a deadlock', async () => {
    const { id, who } = await steps.approved();
    const billId = await dueBill(who);
    const file = await steps.make([id], [billId]);
    await steps.download(file.id);
    const tries = { send: 0, other: 0 };
    let sending: Promise<void> | undefined;
    const command = withTx(db, async (tx) => {
      tries.other += 1;
      await sql`SELECT FROM bill WHERE id = ${billId} FOR NO KEY UPDATE`.execute(tx);
      sending ??= withTx(db, (sendTx) => {
        tries.send += 1;
        return steps.actIn(sendTx, 'send', file.id);
      });
      await untilBlocked(db);
      const { ledgerAccountId: accountId } = who.wallet;
      await placeHold(tx, { accountId, amountMinor: 1n, reference: 'WD-1' });
      throw new Error('It changes nothing');
    });
    await expect(command).rejects.toThrow('It changes nothing');
    await sending;
    expect(tries).toEqual({ send: 1, other: 1 });
    await steps.doAct('settle', file.id);
  });

  it('is not made while the company has entered no bank', async () => {
    const { id } = await steps.approved();
    await steps.enterBank({ payoutFormat: 'none' });
    await expect(steps.make([id])).rejects.toMatchObject({ code: 'payouts_by_hand' });
    await steps.enterBank();
  });

  it.each(['pain001_03', 'pain001_09'] as const)('is made as %s, too', async (payoutFormat) => {
    const { id } = await steps.approved();
    await steps.enterBank({ payoutFormat });
    const file = await steps.make([id]);
    expect(file.control).toBeNull();
    const { content } = await steps.download(file.id);
    expect(content).toContain(`pain.001.001.${payoutFormat.slice(-2)}`);
    await steps.doAct('cancel', file.id);
    await steps.enterBank();
  });

  it('has an offsetting debit in each batch where the bank asks for it', async () => {
    const { id } = await steps.approved();
    await steps.enterBank({ payoutIsBalanced: true });
    const file = await steps.make([id]);
    expect(file.control?.debit.minor).toBe(String(AMOUNT));
    await steps.doAct('cancel', file.id);
    const next = await steps.make([id]);
    const { entries } = await getPayoutFile(db, services, admin, next);
    const [former] = (await getPayoutFile(db, services, admin, file)).entries;
    // The offset has a trace number of its own, and no number is used twice.
    expect(Number(entries[0]?.traceNumber) - Number(former?.traceNumber)).toBe(2);
    await steps.doAct('cancel', next.id);
    await steps.enterBank();
  });
});
