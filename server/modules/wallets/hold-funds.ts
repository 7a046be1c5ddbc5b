import { formatMoney } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { LedgerError, accountBalances, placeHold } from '#server/modules/ledger/index.ts';
import type { WalletRecord } from './queries.ts';

/**
 * Sets money of a wallet aside for a request, and returns the hold's id. The wallet has been locked
 * with `lockWallet`.
 *
 * @throws {AppError} `insufficient_funds`, which names what is available.
 */
export async function holdFunds(
  tx: Tx,
  wallet: WalletRecord,
  hold: { amountMinor: bigint; currency: Currency; reference: string },
): Promise<string> {
  const accountId = wallet.ledgerAccountId;
  const balances = await accountBalances(tx, [accountId]);
  const { availableMinor } = invariant(balances.get(accountId), `no ledger account ${accountId}`);
  const available = formatMoney(availableMinor, hold.currency);
  if (hold.amountMinor > availableMinor) throw new AppError('insufficient_funds', { available });
  try {
    return await placeHold(tx, {
      accountId,
      amountMinor: hold.amountMinor,
      reference: hold.reference,
    });
  } catch (error) {
    // A correction posted between the two statements took the money.
    if (error instanceof LedgerError && error.code === 'insufficient_funds') {
      throw new AppError('insufficient_funds', { available });
    }
    throw error;
  }
}
