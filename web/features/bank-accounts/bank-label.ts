import type { BankAccount } from '#contract/api.ts';

export const ACCOUNT_TYPE_LABELS = { checking: 'Checking', savings: 'Savings' } as const;

/** `Cascade Federal Credit Union ••2208`: what a bank account is called in sentences. */
export function bankLabel(account: Pick<BankAccount, 'bankName' | 'accountNumberLast4'>): string {
  return `${account.bankName} ••${account.accountNumberLast4}`;
}
