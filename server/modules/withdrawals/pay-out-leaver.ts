import type { AdminWithdrawal, RouteArguments } from '#contract/api.ts';
import { LEAVER_PAYOUT_REASON, LEAVER_PAYOUT_URGENCY } from '#contract/withdrawals.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { claimUse } from '#server/modules/bank-accounts/index.ts';
import { lockLeaver } from '#server/modules/identity/index.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import { lockWallet, openWalletsOf } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { loadAdminWithdrawal } from './queries.ts';
import { placeWithdrawal } from './request-withdrawal.ts';

type Payout = RouteArguments<'adminPayOutLeaver'>['body'];

/**
 * Requests the whole balance of a person who left, in their place: a pending withdrawal for each account
 * with money, which goes the way of every withdrawal.
 *
 * @throws {AppError} as `lockLeaver`; `bank_account_not_verified`, `nothing_to_pay_out`, `conflict` where
 *   another total is available by now
 */
export async function payOutLeaver(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { personId, bankAccountId, total }: Payout & { personId: string },
): Promise<{ withdrawals: AdminWithdrawal[] }> {
  const now = services.clock.now();
  const person = await lockLeaver(tx, personId);
  const { currency } = await readMoneyRules(tx);
  const paid = await lockAvailable(tx, personId);
  const totalMinor = paid.reduce((sum, { availableMinor }) => sum + availableMinor, 0n);
  if (totalMinor === 0n) throw new AppError('nothing_to_pay_out');
  if (total.currency !== currency || BigInt(total.minor) !== totalMinor) {
    throw new AppError('conflict');
  }

  const ids: string[] = [];
  for (const { wallet, availableMinor: amountMinor } of paid) {
    const bank = await claimUse(tx, { bankAccountId, userId: personId });
    const { id } = await placeWithdrawal(tx, by, {
      reference: await nextReference(tx, 'WD'),
      userId: personId,
      requestedBy: by.actor.id,
      leaver: person.name,
      wallet,
      bank: { ...bank, id: bankAccountId },
      amountMinor,
      currency,
      urgency: LEAVER_PAYOUT_URGENCY,
      reason: LEAVER_PAYOUT_REASON,
      now,
    });
    ids.push(id);
  }
  const withdrawals: AdminWithdrawal[] = [];
  for (const id of ids) withdrawals.push(await loadAdminWithdrawal(tx, services, by, id));
  return { withdrawals };
}

interface Available {
  wallet: WalletRecord;
  availableMinor: bigint;
}

/** The person's open wallets with money that nothing holds, locked in the order of their ids. */
async function lockAvailable(tx: Tx, userId: string): Promise<Available[]> {
  const open = await openWalletsOf(tx, userId);
  for (const { id } of open.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await lockWallet(tx, { walletId: id, userId });
  }
  const balances = await accountBalances(
    tx,
    open.map(({ ledgerAccountId }) => ledgerAccountId),
  );
  return open
    .map((wallet) => ({
      wallet,
      availableMinor: invariant(balances.get(wallet.ledgerAccountId), `no account of ${wallet.id}`)
        .availableMinor,
    }))
    .filter(({ availableMinor }) => availableMinor > 0n);
}
