import type { PayrollStatus } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';

/** `Salary Wallet - 12/8/2026`, by the company's calendar. */
export function batchName(walletType: WalletType, at: Date, timeZone: string): string {
  const date = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).format(at);
  return `${WALLET_LABELS[walletType]} - ${date}`;
}

/** `December 2026`, by the company's calendar. */
export function payPeriod(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'long' }).format(at);
}

/** `PAY-0049-0148`: unique in the ledger, which is why no line can be paid twice. */
export function lineReference(batchNumber: string, lineNumber: number): string {
  return `PAY-${batchNumber}-${String(lineNumber).padStart(4, '0')}`;
}

/** A batch has failed only when nobody could be paid. */
export function finalStatus(paidCount: number): PayrollStatus {
  return paidCount > 0 ? 'completed' : 'failed';
}
