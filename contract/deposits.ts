import { addBankingDays, bankingDayOnOrAfter } from './banking-days.ts';
import { addDays } from './calendar.ts';
import { emailRule } from './email.ts';
import { DESCRIPTION_MAX_LENGTH } from './limits.ts';
import type { Currency } from './money.ts';
import { formatted, line, paragraph } from './rules.ts';
import type { CHECK_SIDES, DEPOSIT_STATUSES } from './statuses.ts';
import { deposit } from './things/deposit.ts';
import { legalIn } from './things/thing.ts';
import { keysOf } from './keys.ts';

export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];
export type CheckSide = (typeof CHECK_SIDES)[number];

/** Statuses in which each act is legal. */
export const depositCan = {
  ...legalIn(deposit),
  /** Adding or replacing a photograph of the check. */
  photograph: ['pending'],
} as const satisfies Record<string, readonly DepositStatus[]>;

export interface DepositMethod {
  readonly name: string;
  readonly processingTime: string;
  /**
   * Banking days from the request to the money; null where they count from something that only
   * happens later: a check that arrives by mail, a call.
   */
  readonly arrivalDays: { readonly from: number; readonly to: number } | null;
  /** Charged on top of the amount: a share in basis points plus a fixed sum. */
  readonly fee: { readonly basisPoints: bigint; readonly fixedMinor: bigint };
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  /** Over one person's requests by this method in one day. */
  readonly dailyMinor: bigint;
}

const free = { basisPoints: 0n, fixedMinor: 0n } as const;

/** docs/rules.md, "Methods". */
export const DEPOSIT_METHODS = {
  ach: {
    name: 'ACH transfer',
    processingTime: '1-3 business days',
    arrivalDays: { from: 1, to: 3 },
    fee: free,
    minMinor: 100n,
    maxMinor: 1_000_000n,
    dailyMinor: 2_500_000n,
  },
  wire: {
    name: 'Wire transfer',
    processingTime: 'Same day',
    arrivalDays: { from: 0, to: 0 },
    fee: { basisPoints: 0n, fixedMinor: 2_500n },
    minMinor: 100_000n,
    maxMinor: 10_000_000n,
    dailyMinor: 50_000_000n,
  },
  card: {
    name: 'Card',
    processingTime: 'Instant',
    arrivalDays: { from: 0, to: 0 },
    fee: { basisPoints: 250n, fixedMinor: 30n },
    minMinor: 1_000n,
    maxMinor: 500_000n,
    dailyMinor: 1_000_000n,
  },
  mobile_check: {
    name: 'Mobile check',
    processingTime: '1-2 business days',
    arrivalDays: { from: 1, to: 2 },
    fee: free,
    minMinor: 100n,
    maxMinor: 500_000n,
    dailyMinor: 1_000_000n,
  },
  physical_check: {
    name: 'Physical check',
    processingTime: '3-5 business days',
    arrivalDays: null,
    fee: free,
    minMinor: 100n,
    maxMinor: 2_500_000n,
    dailyMinor: 5_000_000n,
  },
  secure_transfer: {
    name: 'Secure transfer',
    processingTime: '2-4 hours',
    arrivalDays: null,
    fee: { basisPoints: 0n, fixedMinor: 5_000n },
    minMinor: 5_000_000n,
    maxMinor: 100_000_000n,
    dailyMinor: 500_000_000n,
  },
} as const satisfies Record<string, DepositMethod>;
export type DepositMethodId = keyof typeof DEPOSIT_METHODS;
export const DEPOSIT_METHOD_IDS = keysOf(DEPOSIT_METHODS);

/** Names of methods where banks call them otherwise than in the US (docs/decisions/087). */
const NAMES_ELSEWHERE: Partial<Record<Currency, Partial<Record<DepositMethodId, string>>>> = {
  EUR: { ach: 'SEPA transfer', wire: 'Urgent transfer' },
  GBP: { ach: 'Bank transfer', wire: 'CHAPS transfer' },
};

/** Name of a method in a company's currency: "ACH transfer", "SEPA transfer". */
export function methodName(method: DepositMethodId, currency: Currency): string {
  return NAMES_ELSEWHERE[currency]?.[method] ?? DEPOSIT_METHODS[method].name;
}

/** The same inside a sentence: "ACH transfer", "card". */
export function methodInSentence(method: DepositMethodId, currency: Currency): string {
  const name = methodName(method, currency);
  return name.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** The method's fee in minor units; a share of a cent rounds half up. */
export function depositFeeMinor(method: DepositMethodId, amountMinor: bigint): bigint {
  const { basisPoints, fixedMinor } = DEPOSIT_METHODS[method].fee;
  return (amountMinor * basisPoints + 5_000n) / 10_000n + fixedMinor;
}

/**
 * Expected arrival of a deposit that is requested on `day`: banking days, the first and the last.
 * Null where there is no estimate.
 */
export function expectedDeposit(
  method: DepositMethodId,
  day: string,
  currency: Currency,
): { from: string; to: string } | null {
  const { arrivalDays } = DEPOSIT_METHODS[method];
  if (arrivalDays === null) return null;
  const arrival = (days: number) =>
    days === 0 ? bankingDayOnOrAfter(day, currency) : addBankingDays(day, days, currency);
  return { from: arrival(arrivalDays.from), to: arrival(arrivalDays.to) };
}

/** Disputes have to be reported within so many days of the request. */
const DISPUTE_DAYS = 60;

/** The last day on which a deposit that was requested on `day` can be disputed. */
export function disputeDay(day: string): string {
  return addDays(day, DISPUTE_DAYS);
}

export const depositRules = {
  /** For the person's own records; may be empty. */
  description: line(DESCRIPTION_MAX_LENGTH),
};

/** Destinations of incoming money. Each may be empty; then the methods that need it are not offered. */
export const depositPlaceRules = {
  supportEmail: emailRule,
  mailingAddress: paragraph(300),
  receivingBankName: line(100),
  receivingBankAddress: line(200),
  /** The company's own words, given with the instructions of each deposit. */
  note: paragraph(300),
  cardPaymentPage: formatted(500, {
    pattern: /^https:\/\/[^\s/@]+\.[^\s/@]+(?:\/\S*)?$/,
    problem: 'Enter an address that begins with https://',
  }),
};
