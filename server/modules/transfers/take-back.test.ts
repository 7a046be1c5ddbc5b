import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '#server/lib/actor.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { withdrawalOf } from '#test/factories/money.ts';
import { USD, above, bank, fixed, openSavers, wallet } from '#test/transfers-fixture.ts';
import { listLineTransfers, takeBackTransfer } from './take-back.ts';

const {
  db,
  services,
  run,
  pass,
  tick,
  pay,
  second,
  saver,
  change,
  paid,
  available,
  noticesOf,
  outcomeOf,
} = openSavers();

describe('a line that is taken back', () => {
  const reverse = (id: string, minor: bigint, left: bigint) =>
    run((tx) =>
      reverseLine(tx, services, second(), {
        id,
        amount: USD(minor),
        left: USD(left),
        reason: 'paid_twice',
        message: 'Twice.',
      }),
    );
  const takeBack = (id: string, by = second()) => {
    pass(1);
    return run((tx) => takeBackTransfer(tx, services, by, id));
  };

  it('before its rules run transfers nothing', async () => {
    const who = await saver();
    await change(who, [above(0n, wallet(who.savingsId))]);
    const line = await pay(who, 1_000n);
    await reverse(line, 1_000n, 1_000n);
    await tick();
    expect(await outcomeOf(line)).toBe('taken_back');
  });

  it('undoes no transfer; an admin moves back what is still there, and takes the whole line back', async () => {
    const who = await saver();
    await change(who, [fixed(600n, wallet(who.savingsId)), fixed(100n, bank(who))]);
    const line = await paid(who, 1_000n);
    await expect(reverse(line, 1_000n, 1_000n)).rejects.toMatchObject({
      code: 'reversal_unfunded',
    });
    const { transfers: items } = await listLineTransfers(db(), line, second().actor.id);
    expect(items).toMatchObject([
      { amount: USD(600n), available: USD(600n), isTakenBack: false, withdrawal: null },
      { amount: USD(100n), available: null, withdrawal: { status: 'pending' } },
    ]);
    const [moved, sent] = items;
    await expect(takeBack(sent?.id ?? '')).rejects.toMatchObject({
      code: 'automatic_transfer_not_movable',
    });
    await expect(takeBack(crypto.randomUUID())).rejects.toMatchObject({
      code: 'automatic_transfer_not_found',
    });
    const self: CommandContext = { actor: { ...who.by.actor, role: 'admin' } };
    await expect(takeBack(moved?.id ?? '', self)).rejects.toMatchObject({ code: 'own_request' });
    const refusals = async (by = second()) => {
      const { transfers } = await listLineTransfers(db(), line, by.actor.id);
      return transfers.map(({ refusal }) => refusal);
    };
    const own = 'Someone else must decide on your own request.';
    expect([await refusals(), await refusals(self)]).toEqual([
      [null, null],
      [own, own],
    ]);
    await sql`UPDATE company_settings SET payouts_stopped_at = now()`.execute(db());
    const [stopped] = await refusals();
    await expect(takeBack(moved?.id ?? '')).rejects.toMatchObject({
      code: 'payments_stopped',
      message: stopped,
    });
    await sql`UPDATE company_settings SET payouts_stopped_at = NULL`.execute(db());
    const results = await Promise.allSettled([
      takeBack(moved?.id ?? ''),
      takeBack(moved?.id ?? ''),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await available(who)).toEqual(['900', '0', '0']);
    await reverse(line, 900n, 1_000n);
    expect((await noticesOf(who)).at(-1)?.title).toBe('Automatic Transfer Taken Back');
    expect(await listLineTransfers(db(), line, second().actor.id)).toMatchObject({
      transfers: [{ isTakenBack: true }, {}],
    });
  });

  it('money that is spent is not moved back', async () => {
    const who = await saver();
    await change(who, [fixed(600n, wallet(who.savingsId))]);
    const line = await paid(who, 1_000n);
    await run((tx) =>
      requestWithdrawal(tx, services, who.by, withdrawalOf(who, 1n, { walletId: who.savingsId })),
    );
    const [moved] = (await listLineTransfers(db(), line, second().actor.id)).transfers;
    await expect(takeBack(moved?.id ?? '')).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $5.99',
    });
  });
});
