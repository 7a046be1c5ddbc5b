import type { Wallet } from '#contract/api.ts';
import { FURTHER_WALLET_TYPES, type FurtherWalletType } from '#contract/wallets.ts';

/** Kinds of account that a person does not have yet. */
export function missingAccounts(wallets: readonly Wallet[]): FurtherWalletType[] {
  return FURTHER_WALLET_TYPES.filter((type) => !wallets.some((wallet) => wallet.type === type));
}
