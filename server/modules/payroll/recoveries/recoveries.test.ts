import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Actor } from '#server/lib/actor.ts';
import { withTx } from '#server/db/tx.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, payrollFindings, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { recoverySteps } from '#test/recovery-fixture.ts';
import type { Debtor } from '#test/recovery-fixture.ts';
import { rehearseDraft } from '../drafts/rehearse-draft.ts';
import { previewPayrollDraft } from '../drafts/send-draft.ts';
import { postPayroll } from '../index.ts';
import { getDifferences } from '../read-differences.ts';
import { askedRecoveries, readRecoveries } from './read-recoveries.ts';
import { sweepRecoveries } from './sweep-recoveries.ts';
import { reverseBatch } from '../reverse-batch.ts';
import { getReversal } from '../get-reversal.ts';
import { lineScope, payrollLines } from '../line-list.ts';

let test: TestDb;
let sender: Actor;
let admin: Actor;
let lucia: Debtor;

const steps = recoverySteps(() => test.db, { sender: () => sender, admin: () => admin });
const { services, at, nextDay, pay, send, spend, propose, accept, decline, end, reverse } = steps;
const { balanceOf, recoveryOf, instalmentsOf, leftOf, lineOf } = steps;

beforeAll(async () => {
  test = await openTestDb();
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(test.db);
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  await sweepRecoveries(test.db, services);
  sender = await seedAdmin(test.db);
  admin = await seedAdmin(test.db, 'Theo Marchetti');
  [lucia] = (await seedEmployees(test.db, { count: 1 })) as [Debtor];
  at('2026-12-11T15:00:00Z');
});

const payLucia = async (minor: bigint, person = lucia) => {
  nextDay();
  const batchId = await pay(new Map([[person.id, minor]]));
  return (await lineOf(batchId, person)).id;
};

/** A line of $2,226.00 of which $118.40 is left in the wallet. */
async function paidByMistake(): Promise<string> {
  const lineId = await payLucia(222_600n);
  await spend(lucia, 210_760n);
  return lineId;
}

/** The same with an accepted recovery of the rest. */
async function recovering(terms: Parameters<typeof propose>[1] = {}) {
  const lineId = await paidByMistake();
  const { id } = await propose(lineId, { now: 11_840n, percent: 100, ...terms });
  await accept(lucia, id);
  return { lineId, id };
}

const EVERY_LINE = { search: '', status: 'all', page: 1, pageSize: 15 } as const;

const usd = (minor: bigint) => money(minor, 'USD');
/** A day of the company so many days from now. */
const day = (later: number) => addDays(dayIn('America/New_York', services.clock.now()), later);

/** Amounts that a rehearsal has for each person: the payment, what is recovered, and what is left of it. */
async function rehearsed(id: string, on?: string): Promise<string[]> {
  const { chunks } = await rehearseDraft(test.db, services, { id, on });
  let text = '';
  for await (const chunk of chunks) text += chunk;
  const [header = '', ...lines] = text.trim().split('\r\n');
  const places = ['Amount', 'Recovered', 'Reaches wallet'].map((one) =>
    header.split(',').indexOf(one),
  );
  return lines
    .map((line) => places.map((place) => line.split(',')[place]).join(','))
    .filter((amounts) => amounts !== ',,')
    .toSorted();
}

async function expectSound() {
  expect(await payrollFindings(test.db)).toEqual([]);
  expect((await verifyLedger(test.db)).problems).toEqual([]);
}

describe('a recovery', () => {
  it('takes the rest of a payment from the next payrolls once it is accepted', async () => {
    const lineId = await paidByMistake();
    const proposed = await propose(lineId, { now: 11_840n, percent: 100 });
    expect(proposed).toMatchObject({
      status: 'proposed',
      ...{
        amount: money(210_760n, 'USD'),
        recovered: money(0n, 'USD'),
        left: money(210_760n, 'USD'),
      },
      instalment: money(105_380n, 'USD'),
      payment: { amount: money(222_600n, 'USD'), reversed: money(11_840n, 'USD') },
      acts: [{ act: 'end', refusal: null }],
    });
    expect(proposed.planned.map(({ amount }) => amount.minor)).toEqual(['105380', '105380']);
    expect(await balanceOf(lucia)).toBe(0n);
    const asked = (today: string) => askedRecoveries(test.db, { userId: lucia.id, today });
    expect(await asked(day(0))).toEqual([
      { id: proposed.id, amount: usd(210_760n), by: 'Theo Marchetti', answerBy: day(0) },
    ]);
    expect(await asked(day(1))).toEqual([]);
    expect((await noticesOf(test.db, lucia.id, 'recovery-proposed'))[0]).toMatch(
      /^Theo Marchetti asks you to pay back \$2,107\.60 of Biweekly pay: \$1,053\.80 from each payroll/,
    );
    // Nothing is taken before it is accepted.
    nextDay(-1);
    await payLucia(204_600n);
    expect(await balanceOf(lucia)).toBe(204_600n);
    await spend(lucia, 204_600n);
    await accept(lucia, proposed.id);
    expect(await asked(day(0))).toEqual([]);

    const second = await payLucia(204_600n);
    expect(await balanceOf(lucia)).toBe(204_600n - 105_380n);
    expect(await recoveryOf(proposed.id)).toMatchObject({
      status: 'accepted',
      recoveredMinor: 105_380n,
    });
    expect(await noticesOf(test.db, lucia.id, 'recovery-taken')).toEqual([
      '$1,053.80 was taken from Biweekly pay in your Salary Wallet, as you agreed. $1,053.80 is left.',
    ]);
    await payLucia(204_600n);
    expect(await recoveryOf(proposed.id)).toMatchObject({
      status: 'finished',
      recoveredMinor: 210_760n,
    });
    expect(await instalmentsOf(proposed.id)).toEqual([105_380n, 105_380n]);
    await payLucia(100n);
    expect(await instalmentsOf(proposed.id)).toHaveLength(2);
    expect(await leftOf(lineId)).toBe(0n);
    expect(await balanceOf(lucia)).toBe(2n * (204_600n - 105_380n) + 100n);

    const { batchId } = await test.db
      .selectFrom('payrollLine')
      .select('batchId')
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
    const scope = await lineScope(test.db, batchId);
    const { items } = await payrollLines.page(test.db, EVERY_LINE, scope);
    expect(items[0]?.deducted).toEqual(money(105_380n, 'USD'));
    await expectSound();
  });

  it('takes no more than its share of a payment, and appends what it could not take', async () => {
    const { id } = await recovering({ percent: 25 });
    await payLucia(1_001n);
    expect(await balanceOf(lucia)).toBe(1_001n - 250n);
    await payLucia(3n);
    await payLucia(1_000_000n);
    expect(await instalmentsOf(id)).toEqual([250n, 105_380n]);
    await payLucia(1_000_000n);
    await payLucia(1_000_000n);
    expect(await instalmentsOf(id)).toEqual([250n, 105_380n, 105_130n]);
    expect(await recoveryOf(id)).toMatchObject({ status: 'finished' });
    await expectSound();
  });

  it('is in the preview, the rehearsal and the batch of a payroll as it is taken then', async () => {
    const { id } = await recovering({ percent: 25 });
    // A second one takes its share of what the first leaves of it.
    const lineId = await payLucia(40_000n);
    await spend(lucia, await balanceOf(lucia));
    const other = await propose(lineId, { instalment: 20_000n, percent: 30, startsOn: day(3) });
    await accept(lucia, other.id);
    const [ben] = (await seedEmployees(test.db, { count: 1 })) as [Debtor];
    const draft = await draftOwnAmounts(
      ...([test.db, sender, new Map([lucia, ben].map((one) => [one.id, 100_000n]))] as const),
      { ...services, payOn: day(3) },
    );
    const seen = await previewPayrollDraft(test.db, services, { ...draft, readerId: admin.id });
    const deducted = { people: 1, total: usd(30_000n) };
    expect(seen).toMatchObject({ total: usd(200_000n), deducted });
    const byPerson = new Map(seen.payable.map((line) => [line.employee.id, line.deducted]));
    expect([byPerson.get(lucia.id), byPerson.get(ben.id)]).toEqual([usd(30_000n), usd(0n)]);
    expect(await rehearsed(draft.id)).toEqual(['1000.00,0.00,1000.00', '1000.00,300.00,700.00']);
    // The second one begins later.
    expect(await rehearsed(draft.id, day(2))).toContain('1000.00,250.00,750.00');

    const sent = await sendDraftAsSeen(test.db, sender, draft.id, services);
    expect(await getDifferences(test.db, services, sent.id, admin.id)).toMatchObject({ deducted });
    nextDay(4);
    await postPayroll(test.db, services, sent.id);
    expect(await balanceOf(lucia)).toBe(70_000n);
    expect([await instalmentsOf(id), await instalmentsOf(other.id)]).toEqual([
      [10_000n, 25_000n],
      [5_000n],
    ]);
    await expectSound();
  });

  it('takes a payment as a whole where the person accepted that, and never more than it', async () => {
    const { id } = await recovering({ instalment: 210_760n });
    await payLucia(1_000n);
    expect([await balanceOf(lucia), await instalmentsOf(id)]).toEqual([0n, [1_000n]]);
    await expectSound();
  });

  it('leaves what was in the wallet before', async () => {
    const { id } = await recovering({ now: 1n, instalment: 210_760n });
    await payLucia(5_000n);
    expect([await balanceOf(lucia), await instalmentsOf(id)]).toEqual([11_839n, [5_000n]]);
    await expectSound();
  });

  it('begins on its day, and takes nothing from another type of wallet', async () => {
    const { id } = await recovering({ startsOn: '2026-12-20' });
    await payLucia(10_000n);
    expect(await instalmentsOf(id)).toEqual([]);
    at('2026-12-19T15:00:00Z');
    await payLucia(10_000n);
    expect(await instalmentsOf(id)).toEqual([10_000n]);
    const other = await sql`UPDATE recovery SET wallet_type = 'savings' WHERE id = ${id}`
      .execute(test.db)
      .catch((error: unknown) => error);
    expect(String(other)).toContain('permission denied');
    await expectSound();
  });

  it('goes oldest first where there are two, together within the share that was accepted', async () => {
    const one = await recovering({ percent: 25, instalment: 20_000n });
    const lineId = await payLucia(50_000n);
    expect(await instalmentsOf(one.id)).toEqual([12_500n]);
    await spend(lucia, 37_500n);
    const two = await propose(lineId, { percent: 30, instalment: 40_000n });
    await accept(lucia, two.id);
    await payLucia(100_000n);
    expect([await instalmentsOf(one.id), await instalmentsOf(two.id)]).toEqual([
      [12_500n, 20_000n],
      [10_000n],
    ]);
    await expectSound();
  });

  it('is declined, not answered in time, ended or withdrawn: then nothing more is taken', async () => {
    const lineId = await paidByMistake();
    const first = await propose(lineId);
    await decline(lucia, first.id);
    expect(await noticesOf(test.db, admin.id, 'recovery-declined')).toHaveLength(1);
    await expect(accept(lucia, first.id)).rejects.toMatchObject({ code: 'recovery_wrong_status' });

    const second = await propose(lineId);
    expect(await sweepRecoveries(test.db, services)).toBe(0);
    nextDay();
    await expect(accept(lucia, second.id)).rejects.toMatchObject({ code: 'recovery_late' });
    expect(await sweepRecoveries(test.db, services)).toBe(1);
    expect(await recoveryOf(second.id)).toMatchObject({ status: 'expired' });
    expect(await noticesOf(test.db, admin.id, 'recovery-expired')).toEqual([
      'Person Of did not answer by Dec 12, 2026. Nothing of $2,226.00 is taken.'.replace(
        'Person Of',
        (await nameOf()) ?? '',
      ),
    ]);

    const third = await propose(lineId);
    await end(third.id);
    await expect(accept(lucia, third.id)).rejects.toMatchObject({ code: 'recovery_wrong_status' });

    const fourth = await propose(lineId, { percent: 100, instalment: 1_000n, now: 220_000n }).catch(
      (error: unknown) => error,
    );
    expect(fourth).toMatchObject({ code: 'reversal_unfunded', details: { available: '$118.40' } });
    const fifth = await propose(lineId, { percent: 100, instalment: 100_000n });
    await accept(lucia, fifth.id);
    await payLucia(200_000n);
    expect(await end(fifth.id)).toMatchObject({
      ...{ status: 'ended', left: money(122_600n, 'USD'), recovered: money(100_000n, 'USD') },
      ended: { by: admin.name, reason: 'No longer asked for.' },
    });
    await payLucia(200_000n);
    expect(await instalmentsOf(fifth.id)).toEqual([100_000n]);
    expect(await leftOf(lineId)).toBe(122_600n);
    await expectSound();
  });

  it('ends when the person leaves, with what remains', async () => {
    const { id } = await recovering();
    await payLucia(200_000n);
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${lucia.id}`.execute(test.db);
    expect(await sweepRecoveries(test.db, services)).toBe(1);
    expect(await sweepRecoveries(test.db, services)).toBe(0);
    const [shown] = await readRecoveries(test.db, services, { actor: admin, as: 'admin' }, { id });
    expect(shown).toMatchObject({
      ...{ status: 'ended', left: money(105_380n, 'USD'), ended: { by: null, reason: null } },
      planned: [],
    });
    expect(await noticesOf(test.db, admin.id, 'recovery-left')).toHaveLength(1);
    await expectSound();
  });

  it('is not taken from who left before the payroll is posted, nor from a failed line', async () => {
    const { id } = await recovering();
    await sql`UPDATE wallet SET closed_at = now() WHERE id = ${lucia.walletId}`.execute(test.db);
    await expect(payLucia(10_000n)).rejects.toMatchObject({});
    expect(await instalmentsOf(id)).toEqual([]);
    await sql`UPDATE wallet SET closed_at = NULL WHERE id = ${lucia.walletId}`.execute(test.db);
  });
});

async function nameOf() {
  const person = await test.db
    .selectFrom('appUser')
    .select('name')
    .where('id', '=', lucia.id)
    .executeTakeFirst();
  return person?.name;
}

describe('a proposal', () => {
  it('is refused where its terms cannot be kept', async () => {
    const lineId = await paidByMistake();
    for (const terms of [
      { answerBy: '2026-12-11' },
      { answerBy: '2027-03-01' },
      { startsOn: '2026-12-11' },
      { instalment: 3_710n - 1n },
    ]) {
      await expect(propose(lineId, terms)).rejects.toMatchObject({ code: 'recovery_terms' });
    }
    await expect(propose(lineId, { instalment: 222_601n })).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    await expect(propose(lineId, { now: 222_600n, instalment: 1n })).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    await expect(propose(lineId, {}, { ...admin, id: lucia.id })).rejects.toMatchObject({
      code: 'own_request',
    });
    await expect(propose(lineId)).resolves.toMatchObject({ status: 'proposed' });
    await expect(propose(lineId)).rejects.toMatchObject({ code: 'recovery_open' });
    await expect(reverse(lineId, 100n)).rejects.toMatchObject({ code: 'recovery_open' });
    expect((await getReversal(test.db, services, lineId, admin.id)).refusal).toContain('recovery');
    await expectSound();
  });

  it('is answered by its person alone, and ended by another than them', async () => {
    const { id } = await propose(await paidByMistake());
    const [other] = (await seedEmployees(test.db, { count: 1 })) as [Debtor];
    await expect(accept(other, id)).rejects.toMatchObject({ code: 'recovery_not_found' });
    await expect(decline(other, id)).rejects.toMatchObject({ code: 'recovery_not_found' });
    await expect(end(id, { ...admin, id: lucia.id })).rejects.toMatchObject({
      code: 'own_request',
    });
    expect(await recoveryOf(id)).toMatchObject({ status: 'proposed' });
  });

  it('is accepted or withdrawn, whichever comes first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await propose(await payLucia(1_000n));
      const acts = [() => accept(lucia, id), () => end(id), () => decline(lucia, id)];
      const order = round % 2 === 0 ? acts : acts.toReversed();
      const results = await Promise.allSettled(order.map((act) => act()));
      const { status } = await recoveryOf(id);
      // An accepted one can be ended afterwards.
      const done = results.filter(({ status: is }) => is === 'fulfilled').length;
      expect(done).toBe(status === 'ended' && done === 2 ? 2 : 1);
      if (status === 'accepted') await end(id);
    }
    await expectSound();
  });

  it('is made once by two administrators, or the money is taken back, whichever comes first', async () => {
    const lineId = await payLucia(1_000n);
    const results = await Promise.allSettled([
      propose(lineId),
      propose(lineId, {}, sender),
      reverse(lineId),
    ]);
    expectOneWins(results, 'recovery_open', 'payroll_line_wrong_status', 'conflict');
    await expectSound();
  });

  it('takes back what is there, or leaves it to a withdrawal, whichever comes first', async () => {
    const lineId = await paidByMistake();
    const results = await Promise.allSettled([
      propose(lineId, { now: 11_840n }),
      spend(lucia, 11_840n),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(lucia)).toBe(0n);
    await expectSound();
  });
});

describe('a payment that an instalment was taken from', () => {
  it('gives it back when it is taken back as a whole, and the recovery goes on', async () => {
    const { id } = await recovering({ instalment: 105_380n });
    await payLucia(204_600n);
    await spend(lucia, 99_220n);
    const carrier = await payLucia(204_600n);
    expect(await recoveryOf(id)).toMatchObject({ status: 'finished' });
    expect(await balanceOf(lucia)).toBe(99_220n);
    const shown = await getReversal(test.db, services, carrier, admin.id);
    expect([shown.left, shown.available]).toEqual([money(204_600n, 'USD'), money(204_600n, 'USD')]);
    await reverse(carrier);
    expect(await balanceOf(lucia)).toBe(0n);
    expect(await recoveryOf(id)).toMatchObject({ status: 'accepted', recoveredMinor: 105_380n });
    expect(await instalmentsOf(id)).toEqual([105_380n, -105_380n]);
    await expectSound();
    await payLucia(204_600n);
    expect(await recoveryOf(id)).toMatchObject({ status: 'finished' });
    await expectSound();
  });

  it('keeps it while a part is left, and gives it back with the rest, also of a payroll', async () => {
    const { id, lineId } = await recovering({ instalment: 105_380n });
    const carrier = await payLucia(204_600n);
    await expect(reverse(carrier, 99_221n)).rejects.toMatchObject({ code: 'reversal_unfunded' });
    await reverse(carrier, 99_220n);
    expect(await instalmentsOf(id)).toEqual([105_380n]);
    const { batchId } = await test.db
      .selectFrom('payrollLine')
      .select('batchId')
      .where('id', '=', carrier)
      .executeTakeFirstOrThrow();
    const words = { reason: 'paid_twice', message: 'Twice.' } as const;
    const reply = await withTx(test.db, (tx) =>
      reverseBatch(tx, services, { actor: admin }, { id: batchId, after: 0, ...words }),
    );
    expect([reply.count, reply.total]).toEqual([1, money(105_380n, 'USD')]);
    expect(await instalmentsOf(id)).toEqual([-105_380n]);
    expect([await leftOf(lineId), await balanceOf(lucia)]).toEqual([210_760n, 0n]);
    await expectSound();
  });

  it('gives back what an ended recovery took, which stays ended', async () => {
    const { id } = await recovering();
    const carrier = await payLucia(204_600n);
    await end(id);
    await reverse(carrier);
    expect(await recoveryOf(id)).toMatchObject({ status: 'ended', recoveredMinor: 0n });
    await expectSound();
  });

  it('is taken back while the next payroll takes an instalment and the recovery is ended', async () => {
    const { id } = await recovering();
    const carrier = await payLucia(204_600n);
    nextDay();
    const batchId = await send(new Map([[lucia.id, 204_600n]]));
    const results = await Promise.allSettled([
      reverse(carrier),
      postPayroll(test.db, services, batchId),
      end(id),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'recovery_wrong_status' });
      }
    }
    const { recoveredMinor } = await recoveryOf(id);
    expect(await balanceOf(lucia)).toBe(204_600n - recoveredMinor);
    await expectSound();
  });
});
