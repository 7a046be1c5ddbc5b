import { describe, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { actOnMany } from '#server/modules/acts/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import { mountTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BANK_DAY, BankDesk, expectSum } from '#test/bank-desk.ts';
import { createPayee, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { returnSteps } from '#test/factories/returned-payouts.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { payoutLinesFixture } from '#test/payout-lines-fixture.ts';
import { untilBlocked } from '#test/until-blocked.ts';

let app: TestApp;
let admin: TestPerson;
let other: TestPerson;
let cookie: string;
let desk: BankDesk;
const { ask, approved, dueBill, sent, fileOf, asItem, groupsOf, clearing, matchRest } =
  payoutLinesFixture((company) => {
    ({ app, admin, other, cookie, desk } = company);
  });

describe('a payout file on a statement', () => {
  it('is settled by hand while the company imports no statements', async () => {
    const { id } = await approved(1_000n);
    const file = await sent([id]);
    expect(file.acts).toEqual([{ act: 'settle', refusal: null }]);
    expect(await ask('POST', `/${file.id}/settle`, {})).toMatchObject({ status: 'settled' });
    await desk.addAccount('DE89370400440532013000');
    // Its line may come later, or while the act is committed.
    const late = await sent([(await approved(1_500n)).id]);
    const lines = [
      [`ACH SETTLEMENT ${file.number}`, -1_000n],
      [`ACH SETTLEMENT ${late.number}`, -1_500n],
    ] as const;
    let booking: ReturnType<typeof desk.book> | undefined;
    await withTx(app.db, async (tx) => {
      await payoutSteps(app.db, app.services, admin.by).actIn(tx, 'settle', late.id);
      booking = desk.book(lines);
      await untilBlocked(app.db);
    });
    expect(await booking).toMatchObject({ matched: 2 });
    expect(await fileOf(late)).toMatchObject({ status: 'settled' });
    await matchRest();
    await expectSum(desk, 0n);
  });

  it('is one item on its way, and its line settles it by its number and amount', async () => {
    const before = await clearing();
    const [one, two] = [await approved(40_000n), await approved(2_500n)];
    const bill = await dueBill(1_500n);
    await matchRest();
    const was = await groupsOf();
    const file = await sent([one.id, two.id], [bill]);
    const way = await groupsOf();
    expect(way.filter(([group]) => group === 'files')).toEqual([
      ['files', '-44000', `Payout file ${file.number}`],
    ]);
    expect(way.filter(([group]) => group === 'payouts' || group === 'bills')).toEqual([]);
    expect(was.map(([group]) => group)).not.toContain('files');
    // Settling is no longer a click.
    expect((await fileOf(file)).acts).toMatchObject([{ act: 'settle' }]);
    expect(await ask('POST', `/${file.id}/settle`, {})).toMatchObject({
      code: 'payout_settled_by_line',
    });

    const loaded = await desk.book([[`ACH SETTLEMENT TALLIS REED ${file.number}`, -44_000n]]);
    expect(loaded).toMatchObject({ matched: 1 });
    const settled = await fileOf(file);
    expect(settled).toMatchObject({ status: 'settled', leftBankOn: BANK_DAY, acts: [] });
    expect(settled.entries.map(({ status }) => status).toSorted()).toEqual([
      'completed',
      'completed',
      'paid',
    ]);
    expect(settled.history.at(-1)).toMatchObject({ status: 'settled', by: null });
    expect(await clearing()).toEqual({
      payouts_in_transit: 0n,
      bill_clearing: 1_500n,
      payout_clearing: (before.payout_clearing ?? 0n) + 42_500n,
    });
    expect(await groupsOf()).toEqual(was.filter(([group]) => group !== 'files'));
    await expectSum(desk, 0n);
  });

  it('has its payments pending in every history until its line has come', async () => {
    const { id, payee } = await approved(3_210n);
    const file = await sent([id]);
    const own = await app.cookieOf(payee.by.actor);
    const history = async (status: string) => {
      const path = `/api/history?status=${status}`;
      const { items } = (await (await app.ask('GET', path, { cookie: own })).json()) as {
        items: { type: string; status: string }[];
      };
      const count = (await (
        await app.ask('GET', `/api/history/count?status=${status}`, { cookie: own })
      ).json()) as { total: number };
      expect(count.total).toBe(items.length);
      return items.filter(({ type }) => type === 'withdrawal').map((one) => one.status);
    };
    const log = async (status: string) => {
      const path = `/api/admin/transactions?person=${payee.by.actor.id}&type=withdrawal&status=${status}`;
      const { items } = (await (await app.ask('GET', path, { cookie })).json()) as {
        items: { status: string }[];
      };
      return items.map((one) => one.status);
    };
    for (const read of [history, log]) {
      expect(await read('all')).toEqual(['pending']);
      expect(await read('pending')).toEqual(['pending']);
      expect(await read('completed')).toEqual([]);
    }
    const { recentActivity } = (await (
      await app.ask('GET', '/api/admin/dashboard', { cookie })
    ).json()) as RouteReply<'adminGetDashboard'>;
    expect(
      recentActivity.filter(({ amount }) => amount.minor === '-3210').map(({ status }) => status),
    ).toEqual(['pending']);
    await desk.book([[`ACH SETTLEMENT ${file.number}`, -3_210n]]);
    for (const read of [history, log]) {
      expect(await read('all')).toEqual(['completed']);
      expect(await read('pending')).toEqual([]);
      expect(await read('completed')).toEqual(['completed']);
    }
  });

  it('of micro-deposits is the company’s own money, and one that came back is a line of its own', async () => {
    await matchRest();
    const { by } = await createPayee(app.db, app.services, { admin: admin.by });
    const { id } = await pendingBank(app.db, app.services, by);
    const setProof = (bankAccountProof: 'none' | 'micro_deposits') =>
      app.db.updateTable('companySettings').set({ bankAccountProof }).execute();
    await setProof('micro_deposits');
    const was = await groupsOf();
    const file = await sent([], [], [id]);
    const minor = BigInt(file.total.minor);
    const own = (groups: Awaited<ReturnType<typeof groupsOf>>) =>
      BigInt(groups.find(([group]) => group === 'own')?.[1] ?? 0);
    const way = await groupsOf();
    expect(way.find(([group]) => group === 'files')?.[1]).toBe(String(-minor));
    expect(own(way) - own(was)).toBe(minor);
    expect(way.find(([group]) => group === 'own')).toContain('Account verification');
    await expectSum(desk, 0n);

    expect(await desk.book([[`ACH SETTLEMENT ${file.number}`, -minor]])).toMatchObject({
      matched: 1,
    });
    const { entries, status } = await fileOf(file);
    expect(status).toBe('settled');
    await expectSum(desk, 0n);
    const backs = entries.map((entry) => ({ ...entry, amountMinor: BigInt(entry.amount.minor) }));
    const returns = returnSteps(app.db, app.services, { admin: admin.by, other: other.by });
    await returns.book(
      backs.map(({ traceNumber: trace, ...back }) => ({ code: 'R03', trace, ...back })),
    );
    const [first, second] = backs;
    expect((await groupsOf()).find(([group]) => group === 'payouts')).toEqual(
      expect.arrayContaining([String(minor), `Return of ${first?.reference}`]),
    );
    const rows = [
      [`ACH RETURN ${first?.reference}`, first?.amountMinor ?? 0n],
      [`ACH RETURN ${second?.traceNumber}`, second?.amountMinor ?? 0n],
    ] as const;
    expect(await desk.book(rows)).toMatchObject({ matched: 2 });
    const after = await groupsOf();
    expect(own(after)).toBe(own(was));
    expect(after.map(([group]) => group)).not.toContain('payouts');
    await expectSum(desk, 0n);
    await setProof('none');
  });

  it('is proposed by its amount alone, and not matched by another amount', async () => {
    const { id } = await approved(7_310n);
    const file = await sent([id]);
    const rows = [
      ['ACH SETTLEMENT', -7_310n],
      [`ACH SETTLEMENT ${file.number}`, -7_309n],
    ] as const;
    expect(await desk.book(rows)).toMatchObject({ matched: 0 });
    const line = await desk.open('ACH SETTLEMENT');
    expect(line.suggestion?.item).toMatchObject({ kind: 'payout_file', itemId: file.id });
    // Its payment is in the file, and no item of its own.
    expect((await desk.candidates(line)).map(({ itemId }) => itemId)).toEqual([file.id]);
    await desk.match(line, [asItem(file, -7_310n)], { isSuggestion: true });
    expect(await fileOf(file)).toMatchObject({ status: 'settled' });
    const fee = await desk.open(`ACH SETTLEMENT ${file.number}`);
    expect(await desk.match(fee, [asItem(file, -7_309n)])).toMatchObject({
      code: 'bank_item_taken',
    });
    await matchRest();
  });

  it('settles with the last of several lines, and several files with one line', async () => {
    const files = [
      await sent([(await approved(3_000n)).id]),
      await sent([(await approved(4_000n)).id]),
    ];
    const [first, second] = files;
    if (first === undefined || second === undefined) throw new Error('no files');
    await desk.book([
      ['BATCH 1', -1_000n],
      ['ALL THE REST', -6_000n],
    ]);
    await desk.match(await desk.open('BATCH 1'), [asItem(first, -1_000n)]);
    expect(await fileOf(first)).toMatchObject({ status: 'sent' });
    await desk.match(await desk.open('ALL THE REST'), [
      asItem(first, -2_000n),
      asItem(second, -4_000n),
    ]);
    for (const file of files) expect(await fileOf(file)).toMatchObject({ status: 'settled' });
    await expectSum(desk, 0n);
  });

  it('stays settled when its match is taken back, and is on its way until another line has it', async () => {
    const file = await sent([(await approved(5_555n)).id]);
    await desk.book([[`PAYOUT ${file.number}`, -5_555n]]);
    const was = await clearing();
    const [line] = await desk.lines(`?statementId=${(await desk.bank()).statements[0]?.id}`);
    if (line === undefined) throw new Error('no line');
    expect(await desk.unmatch(line)).toMatchObject({ status: 'suggested' });
    expect(await fileOf(file)).toMatchObject({ status: 'settled' });
    expect(await clearing()).toEqual(was);
    expect((await groupsOf()).filter(([group]) => group === 'files')).toEqual([
      ['files', '-5555', `Payout file ${file.number}`],
    ]);
    await expectSum(desk, -5_555n);
    await desk.match(line, [asItem(file, -5_555n)]);
    expect((await fileOf(file)).history.filter(({ status }) => status === 'settled')).toHaveLength(
      1,
    );
    await expectSum(desk, 0n);
  });

  it('is matched by one of two administrators, and settled once', async () => {
    const file = await sent([(await approved(6_666n)).id]);
    await desk.book([
      ['FIRST OF TWO', -6_666n],
      ['SECOND OF TWO', -6_666n],
    ]);
    const theirs = new BankDesk(app, await app.cookieOf(other, { isConfirmed: true }));
    const both = await Promise.all([
      desk.match(await desk.open('FIRST OF TWO'), [asItem(file, -6_666n)]),
      theirs.match(await desk.open('SECOND OF TWO'), [asItem(file, -6_666n)]),
    ]);
    expect(both.map(({ code }) => code ?? 'matched').toSorted()).toEqual([
      'bank_item_taken',
      'matched',
    ]);
    expect((await fileOf(file)).history.filter(({ status }) => status === 'settled')).toHaveLength(
      1,
    );
    await matchRest();
  });

  it('completes a payment that comes back at that time, or leaves it returned', async () => {
    const [back, stays] = [await approved(8_100n), await approved(900n)];
    const file = await sent([back.id, stays.id]);
    const input = { ids: [back.id], reason: 'R02', returnCode: 'R02' } as const;
    const returning = withTx(app.db, (tx) =>
      actOnMany(tx, app.services, other.by, withdrawals, 'returnByFile', input),
    );
    await Promise.all([returning, desk.book([[`ACH OUT ${file.number}`, -9_000n]])]);
    const settled = await fileOf(file);
    expect(settled).toMatchObject({ status: 'settled' });
    const statuses = new Map(settled.entries.map(({ id, status }) => [id, status]));
    expect([statuses.get(back.id), statuses.get(stays.id)]).toEqual(['returned', 'completed']);
    expect((await clearing()).payouts_in_transit).toBe(0n);
    const coming = (await groupsOf()).filter(([group]) => group === 'payouts');
    expect(coming).toEqual([['payouts', '8100', expect.stringMatching(/^Return of WD-/)]]);
    await desk.book([['ACH RETURN R02', 8_100n]]);
    const line = await desk.open('ACH RETURN R02');
    expect(line.suggestion?.item).toMatchObject({ kind: 'return', itemId: back.id });
    await desk.match(line, [{ kind: 'return', itemId: back.id, minor: '8100' }]);
    expect(
      (await groupsOf()).filter(([group]) => group === 'payouts' || group === 'files'),
    ).toEqual([]);
    await expectSum(desk, 0n);
  });

  it('is settled also where the administrator who imports the line has a payment in it', async () => {
    const payee = await createPayee(app.db, app.services, {
      admin: other.by,
      fundedMinor: 100_000n,
    });
    const { id } = await withdrawalIn(app.db, app.services, {
      payee,
      admin: other.by,
      status: 'approved',
      amountMinor: 1_234n,
    });
    const file = await sent([id]);
    await app.db
      .updateTable('appUser')
      .set({ role: 'admin', isAlsoEmployee: true })
      .where('id', '=', payee.by.actor.id)
      .execute();
    const own = new BankDesk(app, await app.cookieOf(payee.by.actor, { isConfirmed: true }));
    Object.assign(own, { accountId: desk.accountId, closing: desk.closing });
    // An own payment in the file refuses nothing.
    expect(await own.book([[`PAYOUT ${file.number}`, -1_234n]])).toMatchObject({ matched: 1 });
    desk.closing = own.closing;
    expect(await fileOf(file)).toMatchObject({ status: 'settled' });
  });

  it('comes after another one also where the clock of its process is ten minutes late', async () => {
    const clock = { now: () => new Date(Date.now() - 600_000) };
    const late = await mountTestApp(app, { clock });
    const lateDesk = new BankDesk(late, cookie);
    Object.assign(lateDesk, { accountId: desk.accountId, closing: desk.closing });
    expect(await lateDesk.book([['Fee of a late process', -150n]])).toMatchObject({ lines: 1 });
    desk.closing = lateDesk.closing;
    await late.live.stop();
  });
});
