import type { Wallet } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { AccountBalance } from '#server/modules/ledger/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { WalletRecord } from './rows.ts';

/** The salary wallet is the primary one. */
export function presentWallet(
  wallet: WalletRecord,
  balance: AccountBalance,
  { currency, receivingAccount }: CompanySettings,
): Wallet {
  return {
    id: wallet.id,
    type: wallet.type,
    name: WALLET_LABELS[wallet.type],
    isPrimary: wallet.type === 'salary',
    accountNumberLast4: wallet.last4,
    routingNumber: receivingAccount?.routingNumber || null,
    balance: money(balance.postedMinor, currency),
    held: money(balance.heldMinor, currency),
    available: money(balance.availableMinor, currency),
  };
}
