import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { closeWallet } from '#server/modules/wallets/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { fundedWallet, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { personPaymentsFixture } from '#test/person-payments-fixture.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import { moveMoney } from './move-money.ts';

let db: Db;
let admin: CommandContext;
const { services, run, payer, colleague, pay, historyOf } = personPaymentsFixture((company) => {
  ({ db, admin } = company);
});

/** A person with money in a salary wallet, and an empty account for savings. */
async function saver(fundedMinor?: bigint): Promise<Payee & { savingsId: string }> {
  const person = await payer(fundedMinor);
  const { id } = await fundedWallet(db, services, person.by, 0n, 'savings');
  return { ...person, savingsId: id };
}

const move = (
  { by, wallet, savingsId }: Awaited<ReturnType<typeof saver>>,
  minor: bigint,
  changes: Partial<Parameters<typeof moveMoney>[3]> = {},
) =>
  run((tx) =>
    moveMoney(tx, services, by, {
      fromWalletId: wallet.id,
      toWalletId: savingsId,
      amount: money(minor, 'USD'),
      ...changes,
    }),
  );

async function postedOf(...walletIds: string[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: string; posted: bigint }>`
    SELECT wallet.id, account.posted FROM wallet
      JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.id = ANY (${walletIds}::uuid[])`.execute(db);
  return walletIds.map((id) => rows.find((row) => row.id === id)?.posted ?? -1n);
}

describe('moving money between one’s own accounts', () => {
  it('is one posting of two entries, which each account has in its own words', async () => {
    const maya = await saver();
    const moved = await move(maya, 6_000n);
    expect(moved).toMatchObject({
      reference: expect.stringMatching(/^TXN-\d{8}$/),
      amount: money(6_000n, 'USD'),
      available: money(475_236n, 'USD'),
      fromName: 'Salary Wallet',
      toName: 'Savings Account (401k)',
      documentId: expect.stringMatching(/^receipt\.[\da-f-]{36}\.salary$/),
    });
    expect(await postedOf(maya.wallet.id, maya.savingsId)).toEqual([475_236n, 6_000n]);
    const { reference } = moved;
    const rows = (await historyOf(maya.by)).filter((row) => row.reference === reference);
    expect(
      rows
        .map(({ type, description, amount }) => [type, description, amount.minor])
        .toSorted((a, b) => Number(a[2]) - Number(b[2])),
    ).toEqual([
      ['move', 'Moved to Savings Account (401k)', '-6000'],
      ['move', 'Moved from Salary Wallet', '6000'],
    ]);
  });

  it('is notified and recorded once', async () => {
    const maya = await saver();
    const { id, reference } = await move(maya, 6_000n);
    const notified = await db
      .selectFrom('notification')
      .select(['userId', 'title', 'message'])
      .where('relatedId', '=', id)
      .execute();
    expect(notified).toEqual([
      {
        userId: maya.by.actor.id,
        title: 'Money Moved',
        message: `$60.00 moved from your Salary Wallet to your Savings Account (401k). Reference ${reference}.`,
      },
    ]);
    const audit = await db
      .selectFrom('auditEvent')
      .select(['action', 'actorId'])
      .where('subjectId', '=', id)
      .execute();
    expect(audit).toEqual([{ action: 'wallet_move.made', actorId: maya.by.actor.id }]);
  });

  it('goes back the same way, out of a retirement account too', async () => {
    const maya = await saver();
    const { id: iraId } = await fundedWallet(db, services, maya.by, 10_000n, 'retirement');
    await move(maya, 2_500n, { fromWalletId: iraId, toWalletId: maya.wallet.id });
    await move(maya, 2_500n, { toWalletId: iraId });
    expect(await postedOf(maya.wallet.id, iraId)).toEqual([481_236n, 10_000n]);
  });

  it('moves everything that is available, and not what is held', async () => {
    const maya = await saver(10_000n);
    await run((tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 4_000n)));
    await expect(move(maya, 6_001n)).rejects.toMatchObject({
      code: 'insufficient_funds',
      message: 'Insufficient funds. Available: $60.00',
    });
    await move(maya, 6_000n);
    expect(await postedOf(maya.wallet.id, maya.savingsId)).toEqual([4_000n, 6_000n]);
  });

  it('goes on without an approved identity, while payouts are frozen and cool off: nothing leaves', async () => {
    const maya = await saver();
    await db
      .updateTable('appUser')
      .set({ passwordResetAt: services.clock.now() })
      .where('id', '=', maya.by.actor.id)
      .execute();
    await run((tx) => freezePayouts(tx, services, maya.by));
    await expect(pay(maya, await colleague(), 1n)).rejects.toMatchObject({
      code: 'own_payouts_frozen',
    });
    await move(maya, 1n);
    expect(await postedOf(maya.savingsId)).toEqual([1n]);
  });

  it('is refused while payments are stopped', async () => {
    const maya = await saver();
    await run((tx) =>
      updateSettings(tx, services, admin, { payoutsStoppedAt: services.clock.now() }),
    );
    await expect(move(maya, 1n)).rejects.toMatchObject({ code: 'payments_stopped' });
    await run((tx) => updateSettings(tx, services, admin, { payoutsStoppedAt: null }));
  });

  it.each([money(0n, 'USD'), money(-1n, 'USD'), money(100n, 'EUR')])(
    'refuses %o',
    async (amount) => {
      await expect(move(await saver(), 1n, { amount })).rejects.toMatchObject({
        code: 'amount_invalid',
      });
    },
  );

  it('is between two open accounts of the person', async () => {
    const maya = await saver();
    const other = await saver();
    const { id } = await fundedWallet(db, services, maya.by, 0n, 'irs');
    await run((tx) => closeWallet(tx, services, admin, { userId: maya.by.actor.id, type: 'irs' }));
    const toWalletId = maya.wallet.id;
    await expect(move(maya, 1n, { toWalletId })).rejects.toMatchObject({
      code: 'same_wallet',
      message: 'Choose two different accounts',
    });
    for (const wallets of [
      { toWalletId: other.savingsId },
      { toWalletId: id },
      { toWalletId: newId() },
      { fromWalletId: other.wallet.id },
      { fromWalletId: id },
    ]) {
      await expect(move(maya, 1n, wallets)).rejects.toMatchObject({ code: 'wallet_not_found' });
    }
    expect(await postedOf(other.wallet.id, other.savingsId)).toEqual([481_236n, 0n]);
  });
});

describe('concurrently', () => {
  const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    );

  it('two moves, a withdrawal and a payment of everything leave one of them', async () => {
    const maya = await saver(10_000n);
    const keiko = await colleague();
    const results = await Promise.allSettled([
      move(maya, 10_000n),
      run((tx) => requestWithdrawal(tx, services, maya.by, withdrawalOf(maya, 10_000n))),
      pay(maya, keiko, 10_000n),
      move(maya, 10_000n),
    ]);
    expect(codesOf(results).toSorted()).toEqual([
      'done',
      ...Array<string>(3).fill('insufficient_funds'),
    ]);
  });

  it('moves in both directions wait for each other', async () => {
    const maya = await saver(1_000n);
    await move(maya, 500n);
    const back = { fromWalletId: maya.savingsId, toWalletId: maya.wallet.id };
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => move(maya, 50n, index % 2 === 0 ? {} : back)),
    );
    expect(codesOf(results)).toEqual(Array(8).fill('done'));
    expect(await postedOf(maya.wallet.id, maya.savingsId)).toEqual([500n, 500n]);
  });

  it('an account is not closed while money moves into it', async () => {
    const maya = await saver(1_000n);
    const results = await Promise.allSettled([
      move(maya, 1_000n),
      run((tx) => closeWallet(tx, services, admin, { userId: maya.by.actor.id, type: 'savings' })),
    ]);
    expect(codesOf(results).filter((code) => code === 'done')).toHaveLength(1);
  });

  it('waits for who closes an account, and holds none until then', async () => {
    const maya = await saver(1_000n);
    const { answer } = await run(async (tx) => {
      const userId = maya.by.actor.id;
      await sql`SELECT FROM app_user WHERE id = ${userId} FOR UPDATE`.execute(tx);
      const moving = await startAndBlock(db, () => move(maya, 1_000n));
      await sql`SELECT FROM wallet WHERE user_id = ${userId} FOR NO KEY UPDATE NOWAIT`.execute(tx);
      return moving;
    });
    await answer;
    expect(await postedOf(maya.wallet.id, maya.savingsId)).toEqual([0n, 1_000n]);
  });
});
