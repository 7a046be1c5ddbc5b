import type { WalletType } from '#contract/wallets.ts';

/** A wallet as its module's tables have it, without the number. */
export interface WalletRecord {
  id: string;
  userId: string;
  type: WalletType;
  ledgerAccountId: string;
  last4: string;
}
