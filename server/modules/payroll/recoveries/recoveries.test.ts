import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { noticesOf } from '#test/notices-of.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import type { Debtor } from '#test/recovery-fixture.ts';
import { rehearseDraft } from '../drafts/rehearse-draft.ts';
import { previewPayrollDraft } from '../drafts/send-draft.ts';
import { postPayroll } from '../index.ts';
import { getDifferences } from '../read-differences.ts';
import { askedRecoveries, readRecoveries } from './read-recoveries.ts';
import { sweepRecoveries } from './sweep-recoveries.ts';
import { lineScope, payrollLines } from '../line-list.ts';
import { recoveriesOfOne } from '#test/recovery-fixture.ts';

const {
  services,
  at,
  nextDay,
  spend,
  propose,
  accept,
  decline,
  end,
  balanceOf,
  recoveryOf,
  instalmentsOf,
  leftOf,
  payLucia,
  paidByMistake,
  recovering,
  expectSound,
  db,
  sender,
  admin,
  lucia,
} = recoveriesOfOne();

const EVERY_LINE = { search: '', status: 'all', page: 1, pageSize: 15 } as const;

const usd = (minor: bigint) => money(minor, 'USD');
/** A day of the company so many days from now. */
const day = (later: number) => addDays(dayIn('America/New_York', services.clock.now()), later);

/** Amounts that a rehearsal has for each person: the payment, what is recovered, and what is left of it. */
async function rehearsed(id: string, on?: string): Promise<string[]> {
  const { chunks } = await rehearseDraft(db(), services, { id, on });
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

describe('a recovery', () => {
  it('takes the rest of a payment from the next payrolls once it is accepted', async () => {
    const lineId = await paidByMistake();
    const proposed = await propose(lineId, { now: 11_840n, percent: 100 });
    expect(proposed).toMatchObject({
      status: 'proposed',
      amount: money(210_760n, 'USD'),
      recovered: money(0n, 'USD'),
      left: money(210_760n, 'USD'),
      instalment: money(105_380n, 'USD'),
      payment: { amount: money(222_600n, 'USD'), reversed: money(11_840n, 'USD') },
      acts: [{ act: 'end', refusal: null }],
    });
    expect(proposed.planned.map(({ amount }) => amount.minor)).toEqual(['105380', '105380']);
    expect(await balanceOf(lucia())).toBe(0n);
    const asked = (today: string) => askedRecoveries(db(), { userId: lucia().id, today });
    expect(await asked(day(0))).toEqual([
      { id: proposed.id, amount: usd(210_760n), by: 'Theo Marchetti', answerBy: day(0) },
    ]);
    expect(await asked(day(1))).toEqual([]);
    expect((await noticesOf(db(), lucia().id, 'recovery-proposed'))[0]).toMatch(
      /^Theo Marchetti asks you to pay back \$2,107\.60 of Biweekly pay: \$1,053\.80 from each payroll/,
    );
    // Nothing is taken before it is accepted.
    nextDay(-1);
    await payLucia(204_600n);
    expect(await balanceOf(lucia())).toBe(204_600n);
    await spend(lucia(), 204_600n);
    await accept(lucia(), proposed.id);
    expect(await asked(day(0))).toEqual([]);

    const second = await payLucia(204_600n);
    expect(await balanceOf(lucia())).toBe(204_600n - 105_380n);
    expect(await recoveryOf(proposed.id)).toMatchObject({
      status: 'accepted',
      recoveredMinor: 105_380n,
    });
    expect(await noticesOf(db(), lucia().id, 'recovery-taken')).toEqual([
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
    expect(await balanceOf(lucia())).toBe(2n * (204_600n - 105_380n) + 100n);

    const { batchId } = await db()
      .selectFrom('payrollLine')
      .select('batchId')
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
    const scope = await lineScope(db(), batchId);
    const { items } = await payrollLines.page(db(), EVERY_LINE, scope);
    expect(items[0]?.deducted).toEqual(money(105_380n, 'USD'));
    await expectSound();
  });

  it('takes no more than its share of a payment, and appends what it could not take', async () => {
    const { id } = await recovering({ percent: 25 });
    await payLucia(1_001n);
    expect(await balanceOf(lucia())).toBe(1_001n - 250n);
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
    await spend(lucia(), await balanceOf(lucia()));
    const other = await propose(lineId, { instalment: 20_000n, percent: 30, startsOn: day(3) });
    await accept(lucia(), other.id);
    const [ben] = (await seedEmployees(db(), { count: 1 })) as [Debtor];
    const draft = await draftOwnAmounts(
      ...([db(), sender(), new Map([lucia(), ben].map((one) => [one.id, 100_000n]))] as const),
      { ...services, payOn: day(3) },
    );
    const seen = await previewPayrollDraft(db(), services, { ...draft, readerId: admin().id });
    const deducted = { people: 1, total: usd(30_000n) };
    expect(seen).toMatchObject({ total: usd(200_000n), deducted });
    const byPerson = new Map(seen.payable.map((line) => [line.employee.id, line.deducted]));
    expect([byPerson.get(lucia().id), byPerson.get(ben.id)]).toEqual([usd(30_000n), usd(0n)]);
    expect(await rehearsed(draft.id)).toEqual(['1000.00,0.00,1000.00', '1000.00,300.00,700.00']);
    // The second one begins later.
    expect(await rehearsed(draft.id, day(2))).toContain('1000.00,250.00,750.00');

    const sent = await sendDraftAsSeen(db(), sender(), draft.id, services);
    expect(await getDifferences(db(), services, sent.id, admin().id)).toMatchObject({ deducted });
    nextDay(4);
    await postPayroll(db(), services, sent.id);
    expect(await balanceOf(lucia())).toBe(70_000n);
    expect([await instalmentsOf(id), await instalmentsOf(other.id)]).toEqual([
      [10_000n, 25_000n],
      [5_000n],
    ]);
    await expectSound();
  });

  it('takes a payment as a whole where the person accepted that, and never more than it', async () => {
    const { id } = await recovering({ instalment: 210_760n });
    await payLucia(1_000n);
    expect([await balanceOf(lucia()), await instalmentsOf(id)]).toEqual([0n, [1_000n]]);
    await expectSound();
  });

  it('leaves what was in the wallet before', async () => {
    const { id } = await recovering({ now: 1n, instalment: 210_760n });
    await payLucia(5_000n);
    expect([await balanceOf(lucia()), await instalmentsOf(id)]).toEqual([11_839n, [5_000n]]);
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
      .execute(db())
      .catch((error: unknown) => error);
    expect(String(other)).toContain('permission denied');
    await expectSound();
  });

  it('goes oldest first where there are two, together within the share that was accepted', async () => {
    const one = await recovering({ percent: 25, instalment: 20_000n });
    const lineId = await payLucia(50_000n);
    expect(await instalmentsOf(one.id)).toEqual([12_500n]);
    await spend(lucia(), 37_500n);
    const two = await propose(lineId, { percent: 30, instalment: 40_000n });
    await accept(lucia(), two.id);
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
    await decline(lucia(), first.id);
    expect(await noticesOf(db(), admin().id, 'recovery-declined')).toHaveLength(1);
    await expect(accept(lucia(), first.id)).rejects.toMatchObject({
      code: 'recovery_wrong_status',
    });

    const second = await propose(lineId);
    expect(await sweepRecoveries(db(), services)).toBe(0);
    nextDay();
    await expect(accept(lucia(), second.id)).rejects.toMatchObject({ code: 'recovery_late' });
    expect(await sweepRecoveries(db(), services)).toBe(1);
    expect(await recoveryOf(second.id)).toMatchObject({ status: 'expired' });
    expect(await noticesOf(db(), admin().id, 'recovery-expired')).toEqual([
      'Person Of did not answer by Dec 12, 2026. Nothing of $2,226.00 is taken.'.replace(
        'Person Of',
        (await nameOf()) ?? '',
      ),
    ]);

    const third = await propose(lineId);
    await end(third.id);
    await expect(accept(lucia(), third.id)).rejects.toMatchObject({
      code: 'recovery_wrong_status',
    });

    const fourth = await propose(lineId, { percent: 100, instalment: 1_000n, now: 220_000n }).catch(
      (error: unknown) => error,
    );
    expect(fourth).toMatchObject({ code: 'reversal_unfunded', details: { available: '$118.40' } });
    const fifth = await propose(lineId, { percent: 100, instalment: 100_000n });
    await accept(lucia(), fifth.id);
    await payLucia(200_000n);
    expect(await end(fifth.id)).toMatchObject({
      status: 'ended',
      left: money(122_600n, 'USD'),
      recovered: money(100_000n, 'USD'),
      ended: { by: admin().name, reason: 'No longer asked for.' },
    });
    await payLucia(200_000n);
    expect(await instalmentsOf(fifth.id)).toEqual([100_000n]);
    expect(await leftOf(lineId)).toBe(122_600n);
    await expectSound();
  });

  it('ends when the person leaves, with what remains', async () => {
    const { id } = await recovering();
    await payLucia(200_000n);
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${lucia().id}`.execute(db());
    expect(await sweepRecoveries(db(), services)).toBe(1);
    expect(await sweepRecoveries(db(), services)).toBe(0);
    const [shown] = await readRecoveries(db(), services, { actor: admin(), as: 'admin' }, { id });
    expect(shown).toMatchObject({
      status: 'ended',
      left: money(105_380n, 'USD'),
      ended: { by: null, reason: null },
      planned: [],
    });
    expect(await noticesOf(db(), admin().id, 'recovery-left')).toHaveLength(1);
    await expectSound();
  });

  it('is not taken from who left before the payroll is posted, nor from a failed line', async () => {
    const { id } = await recovering();
    await sql`UPDATE wallet SET closed_at = now() WHERE id = ${lucia().walletId}`.execute(db());
    await expect(payLucia(10_000n)).rejects.toMatchObject({});
    expect(await instalmentsOf(id)).toEqual([]);
    await sql`UPDATE wallet SET closed_at = NULL WHERE id = ${lucia().walletId}`.execute(db());
  });
});

async function nameOf() {
  const person = await db()
    .selectFrom('appUser')
    .select('name')
    .where('id', '=', lucia().id)
    .executeTakeFirst();
  return person?.name;
}
