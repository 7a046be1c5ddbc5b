/**
 * Automatic transfers: rules by which money leaves a wallet after each payroll line into it. The server runs them, and
 * the screen computes its example from the same function. Free of zod.
 */
import { numberText } from './rules.ts';
import { keysOf } from './keys.ts';

/** Kinds of rules: the same amount each time, a share of the payroll line, or what is available above an amount. */
export const TRANSFER_KINDS = ['fixed', 'percent', 'above'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** The most rules of one wallet. */
export const MAX_TRANSFER_RULES = 10;

/** A whole, in hundredths of a percent: 33.33 % is 3333. */
export const WHOLE_HUNDREDTHS = 10_000;

/** Amount that one rule transfers. Amounts are minor units. */
export type TransferShare =
  | { readonly kind: 'fixed'; readonly amountMinor: bigint }
  | { readonly kind: 'percent'; readonly hundredths: number }
  /** `amountMinor` stays in the wallet; zero: nothing does. */
  | { readonly kind: 'above'; readonly amountMinor: bigint };

/** Amounts of one rule in one run, in minor units. */
export interface AllottedTransfer {
  /** Amount by the rule alone. */
  readonly wantedMinor: bigint;
  /** Amount that there is money for. */
  readonly amountMinor: bigint;
}

/**
 * Divides what is available in a wallet among its rules, from the first to the last. Each takes what it wants of what the
 * ones before it left, so with 600 available 500, 300 and 200 become 500, 100 and 0. A percentage is of the payroll line,
 * whatever is available. Percentages are rounded down to cents, and the last one of them gets the cents that their sum
 * still has: a line of 0.03 with two halves is 0.01 and 0.02. A rule that is left out takes nothing; what it
 * leaves stays in the wallet, unless a later rule takes it.
 *
 * @param paidMinor amount of the payroll line in minor units, without what was taken back of it
 * @param availableMinor available amount of the wallet in minor units, with the payroll line
 * @returns for each rule its amounts, of which the sum is at most what is available
 */
export function allotTransfers(
  rules: readonly (TransferShare & { readonly isLeftOut?: boolean })[],
  { paidMinor, availableMinor }: { paidMinor: bigint; availableMinor: bigint },
): AllottedTransfer[] {
  const shares = percentShares(rules, paidMinor);
  let leftMinor = atLeastZero(availableMinor);
  return rules.map((rule, index) => {
    const wantedMinor =
      rule.kind === 'above'
        ? atLeastZero(leftMinor - rule.amountMinor)
        : (shares.get(index) ?? (rule.kind === 'fixed' ? rule.amountMinor : 0n));
    const mostMinor = rule.isLeftOut === true ? 0n : leftMinor;
    const amountMinor = wantedMinor < mostMinor ? wantedMinor : mostMinor;
    leftMinor -= amountMinor;
    return { wantedMinor, amountMinor };
  });
}

/** Amounts of the percentages by their index, in minor units. */
function percentShares(rules: readonly TransferShare[], paidMinor: bigint): Map<number, bigint> {
  const shares = new Map<number, bigint>();
  let sumHundredths = 0;
  let sumMinor = 0n;
  let last = -1;
  for (const [index, rule] of rules.entries()) {
    if (rule.kind !== 'percent') continue;
    const share = shareOf(paidMinor, rule.hundredths);
    shares.set(index, share);
    sumHundredths += rule.hundredths;
    sumMinor += share;
    last = index;
  }
  if (last >= 0) {
    const cents = shareOf(paidMinor, sumHundredths) - sumMinor;
    shares.set(last, (shares.get(last) ?? 0n) + cents);
  }
  return shares;
}

function shareOf(paidMinor: bigint, hundredths: number): bigint {
  return (atLeastZero(paidMinor) * BigInt(hundredths)) / BigInt(WHOLE_HUNDREDTHS);
}

function atLeastZero(minor: bigint): bigint {
  return minor < 0n ? 0n : minor;
}

/** True if the percentages of some rules are more than the whole payroll line. */
export function isMoreThanWhole(rules: readonly TransferShare[]): boolean {
  const sum = rules.reduce(
    (total, rule) => total + (rule.kind === 'percent' ? rule.hundredths : 0),
    0,
  );
  return sum > WHOLE_HUNDREDTHS;
}

export const PERCENT_PROBLEM = 'Enter a percent from 0.01 to 100';

/** A percentage as it was typed, `5`, `33.33` or `12,5 %`, in hundredths of a percent; null for anything else. */
export function readPercent(typed: string): number | null {
  const text = numberText(typed.replace('%', ''));
  const [, whole, fraction = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const hundredths = Number(whole + fraction.padEnd(2, '0'));
  return hundredths >= 1 && hundredths <= WHOLE_HUNDREDTHS ? hundredths : null;
}

/** `5%`, `33.33%` */
export function formatPercent(hundredths: number): string {
  return `${hundredths / 100}%`;
}

/** Reasons why a transfer was left out, or made in part, as its owner reads them. */
export const TRANSFER_PROBLEMS = {
  not_enough: 'There was not enough money.',
  wallet_closed: 'This account was closed.',
  bank_removed: 'This bank account was removed.',
  bank_unverified: 'This bank account is not verified.',
  bank_cooling_off: 'This bank account, your password or your email address was changed recently.',
  payouts_frozen: 'No money can leave your accounts until an administrator has checked a report.',
  identity_not_approved: 'Your identity is not approved.',
  payments_stopped: 'Payments were stopped in the company.',
  new_browser_limit: 'It was set up in a new browser and exceeds what that can send in a day.',
} as const;
export type TransferProblem = keyof typeof TRANSFER_PROBLEMS;
export const TRANSFER_PROBLEM_IDS = keysOf(TRANSFER_PROBLEMS);

/** Outcomes of a run: transfers were made or left out one by one, or all of them were left out for one reason. */
export const TRANSFER_RUN_OUTCOMES = [
  ...(['made', 'skipped', 'paused', 'no_rules', 'taken_back', 'wallet_closed', 'left'] as const),
] as const;
export type TransferRunOutcome = (typeof TRANSFER_RUN_OUTCOMES)[number];

/** Reason of a withdrawal that was made by a rule. */
export const AUTOMATIC_WITHDRAWAL_REASON = 'Automatic transfer';
