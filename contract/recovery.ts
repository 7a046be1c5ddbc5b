/**
 * Recovery of money that was paid by mistake and is no longer there: an instalment of each later payroll, by an agreement.
 */
import type { NumberRule } from './rules.ts';
import type { RECOVERY_STATUSES } from './statuses.ts';
import { legalIn } from './things/thing.ts';
import { recovery } from './things/recovery.ts';

export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/** Statuses in which each act on a recovery is legal. */
export const recoveryCan = legalIn(recovery);

/** Statuses of a recovery that goes on: until then its payment is not taken back otherwise. */
export const OPEN_RECOVERIES = ['proposed', 'accepted'] as const satisfies RecoveryStatus[];

/** Part of a payment that recoveries take at most, in percent. */
export const RECOVERY_PERCENT: NumberRule = {
  least: 1,
  most: 100,
  problem: 'Enter a number of percent from 1 to 100',
};

/** Days that a person has at most to answer, and those that are proposed. */
export const RECOVERY_ANSWER_DAYS = { most: 60, proposed: 7 } as const;

/** Most payrolls that a recovery is spread over. */
export const RECOVERY_PAYROLLS = 60;

/** Number of payrolls that an instalment takes to recover an amount, where each is large enough. */
export function payrollsOf(amountMinor: bigint, instalmentMinor: bigint): number {
  return Number((amountMinor + instalmentMinor - 1n) / instalmentMinor);
}

/** Instalment by which an amount is recovered over a number of payrolls: the last one is smaller. */
export function instalmentOver(amountMinor: bigint, payrolls: number): bigint {
  const count = BigInt(payrolls);
  return (amountMinor + count - 1n) / count;
}

/** Terms of a recovery, and what is left of it, in minor units. */
export interface RecoveryTerms {
  readonly instalmentMinor: bigint;
  readonly percent: number;
  readonly leftMinor: bigint;
}

/**
 * Amount that a recovery takes from a payment: its instalment, but no more than what is left of it, and than its share of
 * the payment less what other recoveries take from the same payment.
 */
export function instalmentFrom(
  { instalmentMinor, percent, leftMinor }: RecoveryTerms,
  payment: { readonly amountMinor: bigint; readonly takenMinor: bigint },
): bigint {
  const shareMinor = (payment.amountMinor * BigInt(percent)) / 100n - payment.takenMinor;
  const amounts = [instalmentMinor, leftMinor, shareMinor];
  const least = amounts.reduce((smallest, minor) => (minor < smallest ? minor : smallest));
  return least > 0n ? least : 0n;
}
