import type { Wallet } from '#contract/api.ts';

/** "Salary Wallet ••7731" */
export function walletLabel(wallet: Wallet): string {
  return `${wallet.name} ••${wallet.accountNumberLast4}`;
}
