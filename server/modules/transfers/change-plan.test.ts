import { describe, expect, it } from 'vitest';
import { bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { above, bank, fixed, openSavers, percent, wallet } from '#test/transfers-fixture.ts';
import type { Saver } from '#test/transfers-fixture.ts';
import { pauseTransfers, skipTransfers } from './change-plan.ts';

const { services, run, tick, pay, saver, shown, change, paid, available, noticesOf, outcomeOf } =
  openSavers();

const pause = ({ by }: Saver, walletId: string, isPaused = true) =>
  run((tx) => pauseTransfers(tx, services, by, { walletId, isPaused }));

describe('a change', () => {
  it('is a version, and a stale one is refused', async () => {
    const who = await saver();
    await change(who, [fixed(100n, wallet(who.savingsId))]);
    await expect(change(who, [])).rejects.toMatchObject({ code: 'automatic_transfers_changed' });
    const results = await Promise.allSettled([
      change(who, [fixed(200n, wallet(who.savingsId))], { version: 1 }),
      change(who, [fixed(300n, wallet(who.savingsId))], { version: 1 }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await change(who, [], { version: 2 })).toMatchObject({ version: 3, rules: [] });
    await pay(who, 100n);
    expect(await tick()).toBe(0);
  });

  it('counts for a line whose rules have not run', async () => {
    const who = await saver();
    await change(who, [fixed(100n, wallet(who.savingsId))]);
    await pay(who, 1_000n);
    await change(who, [fixed(100n, wallet(who.iraId))], { version: 1 });
    await tick();
    expect(await available(who)).toEqual(['900', '0', '100']);
  });

  it.each([
    ['wallet_not_found', (_who: Saver, other: Saver) => fixed(1n, wallet(other.savingsId))],
    ['bank_account_not_verified', (_who: Saver, other: Saver) => fixed(1n, bank(other))],
    ['same_wallet', (who: Saver) => fixed(1n, wallet(who.wallet.id))],
    ['automatic_percent_sum', (who: Saver) => percent(5_001, wallet(who.iraId))],
  ] as const)('is refused with %s', async (code, rule) => {
    const [who, other] = [await saver(), await saver()];
    const rules = [percent(5_000, wallet(who.savingsId)), rule(who, other)];
    await expect(change(who, rules)).rejects.toMatchObject({ code });
    expect(await shown(who)).toMatchObject({ version: 0, rules: [] });
  });

  it('rules of another person’s wallet are refused', async () => {
    const [who, other] = [await saver(), await saver()];
    await expect(
      change(who, [fixed(1n, wallet(who.savingsId))], { walletId: other.wallet.id }),
    ).rejects.toMatchObject({ code: 'wallet_not_found' });
    await expect(pause(who, other.wallet.id)).rejects.toMatchObject({ code: 'wallet_not_found' });
  });

  it('keeps a destination that cannot be used now', async () => {
    const who = await saver();
    await change(who, [fixed(1n, bank(who))]);
    await run((tx) => bankAccountActs.remove(tx, services, who.by, { id: who.bank.id }));
    const rules = [fixed(2n, bank(who)), fixed(1n, wallet(who.iraId))];
    expect(await change(who, rules, { version: 1 })).toMatchObject({
      rules: [{ refusal: 'This bank account was removed.' }, { refusal: null }],
    });
  });
});

describe('pause and skip', () => {
  it('a pause lasts until its owner starts them again', async () => {
    const who = await saver();
    const walletId = who.wallet.id;
    await expect(pause(who, walletId)).rejects.toMatchObject({ code: 'automatic_transfers_none' });
    await change(who, [above(0n, wallet(who.savingsId))]);
    const line = await pay(who, 100n);
    await pause(who, walletId);
    await pause(who, walletId);
    expect(await tick()).toBe(1);
    expect(await outcomeOf(line)).toBe('paused');
    await pay(who, 100n);
    expect(await tick()).toBe(0);
    expect(await pause(who, walletId, false)).toMatchObject({
      pausedAt: null,
    });
    await paid(who, 100n);
    expect(await available(who)).toEqual(['0', '300', '0']);
    expect((await noticesOf(who)).map(({ title }) => title)).toEqual([
      'Automatic transfers changed',
      'Automatic transfers started again',
      'Automatic Transfers Made',
    ]);
  });

  it('a skip is for one run', async () => {
    const who = await saver();
    const walletId = who.wallet.id;
    await change(who, [above(0n, wallet(who.savingsId))]);
    const skip = (isSkipped: boolean) =>
      run((tx) => skipTransfers(tx, services, who.by, { walletId, isSkipped }));
    await skip(true);
    await skip(false);
    await paid(who, 100n);
    expect(await skip(true)).toMatchObject({ skipsNext: true });
    const line = await paid(who, 100n);
    expect(await outcomeOf(line)).toBe('skipped');
    expect(await shown(who)).toMatchObject({ skipsNext: false });
    await paid(who, 100n);
    expect(await available(who)).toEqual(['0', '300', '0']);
  });
});
