import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { LedgerError, placeHold } from '#server/modules/ledger/index.ts';
import type { WalletRecord } from './rows.ts';

/**
 * Sets money of a wallet aside for a request, as the hold `id`. The caller has locked the wallet
 * with `lockWallet`.
 *
 * @throws {AppError} `insufficient_funds`, with the available amount
 */
export async function holdFunds(
  tx: Tx,
  wallet: WalletRecord,
  { currency, ...hold }: { id: string; amountMinor: bigint; currency: Currency; reference: string },
): Promise<void> {
  try {
    await placeHold(tx, { ...hold, accountId: wallet.ledgerAccountId });
  } catch (error) {
    if (!(error instanceof LedgerError) || error.availableMinor === undefined) throw error;
    const available = formatMoney(money(error.availableMinor, currency));
    throw new AppError('insufficient_funds', { available });
  }
}
