import type { BankAccount } from '#contract/api.ts';

/** `Cascade Federal Credit Union ••2208`: what a bank account is called in sentences. */
export function bankLabel(account: Pick<BankAccount, 'bankName' | 'accountNumberLast4'>): string {
  return `${account.bankName} ••${account.accountNumberLast4}`;
}
