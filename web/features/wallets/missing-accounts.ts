import type { Wallet } from '#contract/api.ts';
import { FURTHER_WALLET_TYPES, type FurtherWalletType } from '#contract/wallets.ts';

/** The kinds of account that a person has not got. */
export function missingAccounts(wallets: readonly Wallet[]): FurtherWalletType[] {
  return FURTHER_WALLET_TYPES.filter((type) => !wallets.some((wallet) => wallet.type === type));
}
