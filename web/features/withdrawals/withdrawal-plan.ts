import type { BankAccount, Wallet } from '#contract/api.ts';
import { bankingDaysAfter } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import type { Money } from '#contract/money.ts';
import { URGENCY_DAYS, type Urgency } from '#contract/withdrawals.ts';
import { accountLabel } from '#web/lib/account-label.ts';
import type { Company } from '#web/lib/company.ts';
import { formatDayRange } from '#web/lib/format.ts';

/** A withdrawal that has been checked and can be sent once its owner confirms it. */
export interface WithdrawalPlan {
  wallet: Wallet;
  bank: BankAccount;
  amount: Money;
  availableAfter: Money;
  urgency: Urgency;
  /** Empty: the server writes its own. */
  reason: string;
}

export function availableAfter({ available }: Wallet, amountMinor: bigint): Money {
  return { ...available, minor: (BigInt(available.minor) - amountMinor).toString() };
}

/** "Dec 10–11, 2026": when a request made today should arrive. */
export function arrivalText(urgency: Urgency, { timeZone, currency }: Company): string {
  const { from, to } = bankingDaysAfter(
    dayIn(timeZone, new Date()),
    URGENCY_DAYS[urgency],
    currency,
  );
  return `${formatDayRange(from, to)}, ${to.slice(0, 4)}`;
}

/** "Cascade Federal Credit Union, checking ••2208" */
export function destinationLabel(bank: BankAccount): string {
  return accountLabel(bank.bankName, { ...bank, last4: bank.accountNumberLast4 });
}
