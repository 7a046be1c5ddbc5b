import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';

/**
 * Answers what is available in a wallet, in minor units. The wallet has been locked, as by everyone who takes
 * or promises its money, so this amount can only grow until the transaction ends.
 *
 * @throws {AppError} `insufficient_funds`, which names what is available
 */
export async function checkFunds(
  tx: Tx,
  { from, amountMinor, currency }: { from: WalletRecord; amountMinor: bigint; currency: Currency },
): Promise<bigint> {
  const balances = await accountBalances(tx, [from.ledgerAccountId]);
  const { availableMinor } = invariant(
    balances.get(from.ledgerAccountId),
    'a wallet of no account',
  );
  if (amountMinor > availableMinor) {
    const available = formatMoney(money(availableMinor, currency));
    throw new AppError('insufficient_funds', { available });
  }
  return availableMinor;
}
