import { DESCRIPTION_MAX_LENGTH } from './limits.ts';
import { line } from './rules.ts';
import type { WalletType } from './wallets.ts';
import { keysOf } from './keys.ts';

interface FundingTypeFacts {
  readonly label: string;
  /** Suggested amount in minor units. Null if no amount is more likely than others. */
  readonly suggestedMinor: bigint | null;
  /** The wallet that the form suggests; null for any. */
  readonly walletType: WalletType | null;
}

/** Why one employee is paid outside of a payroll. docs/rules.md, "Individual funding". */
export const FUNDING_TYPES = {
  salary_advance: { label: 'Salary advance', suggestedMinor: 100_000n, walletType: 'salary' },
  bonus: { label: 'Bonus', suggestedMinor: 50_000n, walletType: 'salary' },
  reimbursement: { label: 'Reimbursement', suggestedMinor: 25_000n, walletType: 'salary' },
  emergency: { label: 'Emergency', suggestedMinor: 75_000n, walletType: 'savings' },
  custom: { label: 'Custom', suggestedMinor: null, walletType: null },
} as const satisfies Record<string, FundingTypeFacts>;
export type FundingType = keyof typeof FUNDING_TYPES;
export const FUNDING_TYPE_IDS = keysOf(FUNDING_TYPES);

/** The kind of a paid line, as a payslip names it: "Payroll", "Bonus". A payroll has no funding type. */
export function payKind(fundingType: FundingType | null): string {
  return fundingType === null ? 'Payroll' : FUNDING_TYPES[fundingType].label;
}

/** True if a paid line is earned: a reimbursement gives back what somebody spent for the company. */
export function isEarned(fundingType: FundingType | null): boolean {
  return fundingType !== 'reimbursement';
}

/** A paid line in words, by its kind and the description it was sent with: "Bonus, First quarter". */
export function payWords(fundingType: FundingType | null, description: string): string {
  const kind = payKind(fundingType);
  return fundingType === null || description === kind ? description : `${kind}, ${description}`;
}

/** Message if the form lacks its wallet or an amount above zero. */
export const FUNDING_PROBLEM = 'Please select a wallet and enter a valid amount.';

/** May be left empty: the employee then reads the funding type. */
export const fundingRules = { description: line(DESCRIPTION_MAX_LENGTH) };
