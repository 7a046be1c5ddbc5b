import type { WalletType } from '#contract/wallets.ts';

/** A wallet as stored, without the account number. */
export interface WalletRecord {
  id: string;
  userId: string;
  type: WalletType;
  ledgerAccountId: string;
  last4: string;
}
