import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { Debtor } from '#test/recovery-fixture.ts';
import { postPayroll } from '../index.ts';
import { reverseBatch } from '../reverse-batch.ts';
import { getReversal } from '../get-reversal.ts';
import { recoveriesOfOne } from '#test/recovery-fixture.ts';

const {
  services,
  nextDay,
  send,
  spend,
  propose,
  accept,
  decline,
  end,
  reverse,
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
    await expect(propose(lineId, {}, { ...admin(), id: lucia().id })).rejects.toMatchObject({
      code: 'own_request',
    });
    await expect(propose(lineId)).resolves.toMatchObject({ status: 'proposed' });
    await expect(propose(lineId)).rejects.toMatchObject({ code: 'recovery_open' });
    await expect(reverse(lineId, 100n)).rejects.toMatchObject({ code: 'recovery_open' });
    expect((await getReversal(db(), services, lineId, admin().id)).refusal).toContain('recovery');
    await expectSound();
  });

  it('is not offered for a person who left, with the sentence of the refusal', async () => {
    const lineId = await paidByMistake();
    const shown = () => getReversal(db(), services, lineId, admin().id);
    expect(await shown()).toMatchObject({ refusal: null, recovery: { refusal: null } });
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${lucia().id}`.execute(db());
    const { refusal, recovery } = await shown();
    expect(refusal).toBeNull();
    expect(recovery.refusal).toBe('This person is not paid by payroll now.');
    await expect(propose(lineId)).rejects.toMatchObject({
      code: 'usual_pay_not_paid',
      message: recovery.refusal,
    });
    await sql`UPDATE app_user SET deactivated_at = NULL WHERE id = ${lucia().id}`.execute(db());
  });

  it('is answered by its person alone, and ended by another than them', async () => {
    const { id } = await propose(await paidByMistake());
    const [other] = (await seedEmployees(db(), { count: 1 })) as [Debtor];
    await expect(accept(other, id)).rejects.toMatchObject({ code: 'recovery_not_found' });
    await expect(decline(other, id)).rejects.toMatchObject({ code: 'recovery_not_found' });
    await expect(end(id, { ...admin(), id: lucia().id })).rejects.toMatchObject({
      code: 'own_request',
    });
    expect(await recoveryOf(id)).toMatchObject({ status: 'proposed' });
  });

  it('is accepted or withdrawn, whichever comes first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await propose(await payLucia(1_000n));
      const acts = [() => accept(lucia(), id), () => end(id), () => decline(lucia(), id)];
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
      propose(lineId, {}, sender()),
      reverse(lineId),
    ]);
    expectOneWins(results, 'recovery_open', 'payroll_line_wrong_status', 'conflict');
    await expectSound();
  });

  it('takes back what is there, or leaves it to a withdrawal, whichever comes first', async () => {
    const lineId = await paidByMistake();
    const results = await Promise.allSettled([
      propose(lineId, { now: 11_840n }),
      spend(lucia(), 11_840n),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(lucia())).toBe(0n);
    await expectSound();
  });
});

describe('a payment that an instalment was taken from', () => {
  it('gives it back when it is taken back as a whole, and the recovery goes on', async () => {
    const { id } = await recovering({ instalment: 105_380n });
    await payLucia(204_600n);
    await spend(lucia(), 99_220n);
    const carrier = await payLucia(204_600n);
    expect(await recoveryOf(id)).toMatchObject({ status: 'finished' });
    expect(await balanceOf(lucia())).toBe(99_220n);
    const shown = await getReversal(db(), services, carrier, admin().id);
    expect([shown.left, shown.available]).toEqual([money(204_600n, 'USD'), money(204_600n, 'USD')]);
    await reverse(carrier);
    expect(await balanceOf(lucia())).toBe(0n);
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
    const { batchId } = await db()
      .selectFrom('payrollLine')
      .select('batchId')
      .where('id', '=', carrier)
      .executeTakeFirstOrThrow();
    const words = { reason: 'paid_twice', message: 'Twice.' } as const;
    const reply = await withTx(db(), (tx) =>
      reverseBatch(tx, services, { actor: admin() }, { id: batchId, after: 0, ...words }),
    );
    expect([reply.count, reply.total]).toEqual([1, money(105_380n, 'USD')]);
    expect(await instalmentsOf(id)).toEqual([-105_380n]);
    expect([await leftOf(lineId), await balanceOf(lucia())]).toEqual([210_760n, 0n]);
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
    const batchId = await send(new Map([[lucia().id, 204_600n]]));
    const results = await Promise.allSettled([
      reverse(carrier),
      postPayroll(db(), services, batchId),
      end(id),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'recovery_wrong_status' });
      }
    }
    const { recoveredMinor } = await recoveryOf(id);
    expect(await balanceOf(lucia())).toBe(204_600n - recoveredMinor);
    await expectSound();
  });
});
