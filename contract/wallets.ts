import { keysOf } from './keys.ts';

/** The accounts an employee may hold with the company, and the words on screen. */
export const WALLET_LABELS = {
  salary: 'Salary Wallet',
  savings: 'Savings Account (401k)',
  retirement: 'Retirement (IRA)',
  irs: 'IRS Account',
} as const;
/** "Salary Wallet account", but "IRS Account": what a label calls an account is not said twice. */
export function walletAccountWords(type: keyof typeof WALLET_LABELS): string {
  const label = WALLET_LABELS[type];
  return /\baccount\b/i.test(label) ? label : `${label} account`;
}
export type WalletType = keyof typeof WALLET_LABELS;
export const WALLET_TYPES = keysOf(WALLET_LABELS);

/** Those a person opens by themselves; the salary wallet opens with every employee. */
export const FURTHER_WALLET_TYPES = [
  'savings',
  'retirement',
  'irs',
] as const satisfies WalletType[];
export type FurtherWalletType = (typeof FURTHER_WALLET_TYPES)[number];
