import { sql } from 'kysely';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { act } from '#server/modules/acts/index.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { createPayee, expectSoundMoney, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { downloadPayoutFile } from './download.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { payoutFiles } from './payout-file.ts';
import { getPayoutFile, getPayouts } from './queries.ts';

const FUNDED = 100_000n;
const AMOUNT = 40_000n;
const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let other: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  other = await createPersonBy(db, { role: 'admin', firstName: 'Theo', lastName: 'Marchetti' });
  await enterBank({});
});
afterEach(() => expectSoundMoney(db));
afterEach(() => expectSoundBooks());
afterAll(() => test.close());

/** The checks of verification that are about payouts. The test's people were made without records. */
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:withdrawal|bill|payout|settlement|posting|transaction|system)/.test(name),
);
const expectSoundBooks = async () => {
  expect(await withTx(db, (tx) => runChecks(tx, CHECKS))).toEqual([]);
};

const enterBank = (patch: Parameters<typeof updateSettings>[3]) =>
  withTx(db, (tx) =>
    updateSettings(tx, services, admin, {
      ...{ payoutFormat: 'nacha', payoutBankName: 'Northgate Commerce Bank' },
      ...{ payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' },
      ...{ payoutCompanyId: '1912345678', payoutIsBalanced: false },
      ...patch,
    }),
  );
const payee = () => createPayee(db, services, { admin, fundedMinor: FUNDED });
const approved = async (who?: Payee) => {
  const owner = who ?? (await payee());
  const input = { payee: owner, admin, status: 'approved', amountMinor: AMOUNT } as const;
  return { who: owner, id: (await withdrawalIn(db, services, input)).id };
};
const make = (withdrawalIds: string[], billIds: string[] = [], by = admin) =>
  withTx(db, (tx) => makePayoutFile(tx, services, by, { withdrawalIds, billIds }));
const download = (id: string, reason?: string, by = admin) =>
  withTx(db, (tx) =>
    downloadPayoutFile(tx, services, by, { id, ...(reason !== undefined && { reason }) }),
  );
const doAct = (name: 'send' | 'settle' | 'cancel', id: string, by = admin) =>
  withTx(db, (tx) => act(tx, services, by, payoutFiles, name, { id }));
const statusOf = async (table: 'withdrawal' | 'bill', id: string) =>
  (await db.selectFrom(table).select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;
const balanceOf = async ({ wallet }: Payee) =>
  (await accountBalances(db, [wallet.ledgerAccountId])).get(wallet.ledgerAccountId);
const inTransit = async () => {
  const { rows } = await sql<{ posted: bigint }>`
    SELECT coalesce(sum(posted), 0)::bigint AS posted FROM ledger_account
     WHERE code = 'payouts_in_transit'`.execute(db);
  return rows[0]?.posted;
};

describe('a payout file', () => {
  it('pays what it was made of, and its clearing account returns to zero', async () => {
    const one = await approved();
    const two = await approved();
    const before = (await getPayouts(db, services, admin)).ready.map(({ id }) => id);
    expect(before).toEqual(expect.arrayContaining([one.id, two.id]));
    const file = await make([one.id, two.id]);
    expect(file).toMatchObject({ status: 'prepared', itemCount: 2, total: { minor: '80000' } });
    expect((await getPayouts(db, services, admin)).ready).toEqual([]);
    expect(await balanceOf(one.who)).toMatchObject({ postedMinor: FUNDED, heldMinor: AMOUNT });

    const { content, fileName } = await download(file.id);
    expect(fileName).toBe(`payout-${file.number}.ach`);
    const paid: [string, bigint][] = [];
    await readNacha([content], (entry) => paid.push([entry.identification, entry.amountMinor]));
    const { entries } = await getPayoutFile(db, services, admin, file.number);
    expect(paid).toEqual(entries.map(({ reference }) => [reference, AMOUNT]));

    await doAct('send', file.id);
    expect(await statusOf('withdrawal', one.id)).toBe('processing');
    const gone = { postedMinor: FUNDED - AMOUNT, heldMinor: 0n, availableMinor: FUNDED - AMOUNT };
    expect(await balanceOf(one.who)).toEqual(gone);
    expect(await inTransit()).toBe(2n * AMOUNT);
    await expectSoundBooks();

    await doAct('settle', file.id);
    expect(await statusOf('withdrawal', one.id)).toBe('completed');
    expect(await balanceOf(two.who)).toEqual(gone);
    expect(await inTransit()).toBe(0n);

    const reason = 'Account closed';
    await withTx(db, (tx) => withdrawalActs.return(tx, services, other, { id: one.id, reason }));
    expect(await balanceOf(one.who)).toMatchObject({ postedMinor: FUNDED, availableMinor: FUNDED });
    expect(await inTransit()).toBe(0n);
  });

  it('is given out once, and again only with a reason, as the same bytes', async () => {
    const { id } = await approved();
    const file = await make([id]);
    const first = await download(file.id);
    await expect(download(file.id)).rejects.toMatchObject({ code: 'payout_file_wrong_status' });
    const again = await download(file.id, 'The copy was lost');
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
    await doAct('cancel', file.id);
  });

  it('is cancelled before it was sent, and its payments are ready again under another number', async () => {
    const { id } = await approved();
    const file = await make([id]);
    await doAct('cancel', file.id);
    expect(await statusOf('withdrawal', id)).toBe('approved');
    const next = await make([id]);
    expect(Number(next.number)).toBe(Number(file.number) + 1);
    await download(next.id);
    await doAct('send', next.id);
    for (const name of ['cancel', 'send'] as const) {
      await expect(doAct(name, next.id)).rejects.toMatchObject({
        code: 'payout_file_wrong_status',
      });
    }
    await doAct('settle', next.id);
  });

  it('made by two administrators at the same time has each payment once', async () => {
    const { id } = await approved();
    const made = await Promise.allSettled([make([id]), make([id], [], other)]);
    const failed = made.filter(({ status }) => status === 'rejected');
    expect(failed).toMatchObject([{ reason: { code: 'payout_item_not_ready' } }]);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM payout_file_item WHERE withdrawal_id = ${id}`.execute(db);
    expect(rows[0]?.count).toBe(1);
    const [file] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await doAct('cancel', file?.id ?? '');
  });

  it('is the only way in which its payments leave, or are stopped', async () => {
    const { id } = await approved();
    const file = await make([id]);
    const inFile = { code: 'payout_in_file' };
    const byHand = withTx(db, (tx) => withdrawalActs.startProcessing(tx, services, admin, { id }));
    await expect(byHand).rejects.toMatchObject(inFile);
    const stopping = { id, reason: 'Twice' };
    const stop = () => withTx(db, (tx) => withdrawalActs.stop(tx, services, admin, stopping));
    await expect(stop()).rejects.toMatchObject(inFile);
    await download(file.id);
    await doAct('send', file.id);
    await expect(stop()).rejects.toMatchObject({ code: 'withdrawal_wrong_status' });
    // One payment of it may be completed before the file is settled.
    await withTx(db, (tx) => withdrawalActs.complete(tx, services, admin, { id }));
    expect(await inTransit()).toBe(0n);
    await doAct('settle', file.id);
  });

  it.each(['choice', 'download'])(
    'is refused if an owner was frozen before the %s',
    async (when) => {
      const { id, who } = await approved();
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
        await expect(make([id])).rejects.toMatchObject(refusal);
        const { held } = await getPayouts(db, services, admin);
        expect(held.find((one) => one.id === id)?.reason).toBe('frozen');
        await freeze(null);
        return;
      }
      const file = await make([id]);
      await freeze(services.clock.now());
      await expect(download(file.id)).rejects.toMatchObject(refusal);
      await freeze(null);
      await doAct('cancel', file.id);
    },
  );

  it('is refused with what was cancelled, stopped or never there, and changes nothing', async () => {
    const { id } = await approved();
    const gone = await approved();
    const stopping = { id: gone.id, reason: 'Twice' };
    await withTx(db, (tx) => withdrawalActs.stop(tx, services, admin, stopping));
    await expect(make([id, gone.id])).rejects.toMatchObject({ code: 'payout_item_not_ready' });
    const nobodys = '00000000-0000-7000-8000-000000000000';
    await expect(make([id, nobodys])).rejects.toMatchObject({ code: 'withdrawal_not_found' });
    await expect(make([], [id])).rejects.toMatchObject({ code: 'bill_not_found' });
    expect((await getPayouts(db, services, admin)).ready.map((one) => one.id)).toContain(id);
    await doAct('cancel', (await make([id])).id);
  });

  it('takes no own payment of the administrator', async () => {
    const own = await createPayee(db, services, { admin, fundedMinor: FUNDED });
    const { id } = await approved(own);
    const asAdmin = { ...own.by, actor: { ...own.by.actor, role: 'admin' as const } };
    await expect(make([id], [], asAdmin)).rejects.toMatchObject({ code: 'payout_item_not_ready' });
  });

  it('takes a second administrator where payouts of that amount do', async () => {
    const { id } = await approved();
    const file = await make([id]);
    await enterBank({ separatePayoutMinor: 1n });
    await sql`INSERT INTO duty_in_force (duty, since) VALUES ('payout', now()) ON CONFLICT DO NOTHING`
      .execute(db)
      .catch(() => undefined);
    await expect(download(file.id)).rejects.toMatchObject({ code: 'second_person_needed' });
    await download(file.id, undefined, other);
    await enterBank({ separatePayoutMinor: null });
    await doAct('cancel', file.id);
  });

  it('pays bills to businesses in a batch of their own, with words for the payee', async () => {
    const { id, who } = await approved();
    const { by, wallet } = who;
    const payeeId = await outsidePayee(db, services, by, { name: 'Puget Power & Light' });
    const payOn = '2026-12-08';
    const input = { walletId: wallet.id, payeeId, payOn, dueOn: null, memo: 'December' };
    const amount = money(1_500n, 'USD');
    const scheduled = await withTx(db, (tx) =>
      scheduleBill(tx, services, by, { ...input, amount }),
    );
    await takeBills(db, services);
    const file = await make([id], [scheduled.id]);
    expect(file.batches).toMatchObject([
      { number: 1, payees: 'people', effectiveOn: '2026-12-09', count: 1 },
      { number: 2, payees: 'businesses', effectiveOn: '2026-12-09', count: 1 },
    ]);
    const { content } = await download(file.id);
    const notes: unknown[] = [];
    await readNacha([content], ({ follows }, { entryClass }) =>
      notes.push([entryClass, follows[0]]),
    );
    expect(notes).toMatchObject([
      ['PPD', undefined],
      ['CCD', { kind: 'note', text: expect.stringContaining('December') as string }],
    ]);
    await doAct('send', file.id);
    expect(await statusOf('bill', scheduled.id)).toBe('sent');
    expect(await inTransit()).toBe(AMOUNT + 1_500n);
    await expectSoundBooks();
    await doAct('settle', file.id);
    expect(await statusOf('bill', scheduled.id)).toBe('paid');
    expect(await inTransit()).toBe(0n);
  });

  it('is not made while the company has entered no bank', async () => {
    const { id } = await approved();
    await enterBank({ payoutFormat: 'none' });
    await expect(make([id])).rejects.toMatchObject({ code: 'payouts_by_hand' });
    await enterBank({});
  });

  it.each(['pain001_03', 'pain001_09'] as const)('is made as %s, too', async (payoutFormat) => {
    const { id } = await approved();
    await enterBank({ payoutFormat });
    const file = await make([id]);
    expect(file.control).toBeNull();
    const { content } = await download(file.id);
    expect(content).toContain(`pain.001.001.${payoutFormat.slice(-2)}`);
    await doAct('cancel', file.id);
    await enterBank({});
  });

  it('has an offsetting debit in each batch where the bank asks for it', async () => {
    const { id } = await approved();
    await enterBank({ payoutIsBalanced: true });
    const file = await make([id]);
    expect(file.control?.debit.minor).toBe(String(AMOUNT));
    await doAct('cancel', file.id);
    const next = await make([id]);
    const { entries } = await getPayoutFile(db, services, admin, next.number);
    const [former] = (await getPayoutFile(db, services, admin, file.number)).entries;
    // The offset has a trace number of its own, and no number is used twice.
    expect(Number(entries[0]?.traceNumber) - Number(former?.traceNumber)).toBe(2);
    await doAct('cancel', next.id);
    await enterBank({});
  });
});
