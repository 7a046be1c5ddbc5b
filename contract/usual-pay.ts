/** Usual pay: the amount that a person is paid on each payday into a wallet of each type, valid from a day on. */
import { REASON_MAX_LENGTH } from './limits.ts';
import { line, MISSING } from './rules.ts';
import type { USUAL_PAY_STATUSES } from './statuses.ts';
import { legalIn } from './things/thing.ts';
import { usualPayChange } from './things/usual-pay-change.ts';
import type { WalletType } from './wallets.ts';

export type UsualPayStatus = (typeof USUAL_PAY_STATUSES)[number];

/** Statuses in which each act on a change is legal. */
export const usualPayCan = legalIn(usualPayChange);

/** Days in which changes that one person alone made for somebody count together. */
export const USUAL_PAY_ALONE_DAYS = 30;
/** Paydays that a change may begin with: a year of weekly ones. Without a schedule, as many weeks of days. */
export const USUAL_PAY_PAYDAYS = 53;

export const usualPayRules = {
  reason: line(REASON_MAX_LENGTH, MISSING),
};

/** A change as far as it says which amounts are valid when. */
interface Dated {
  readonly id: string;
  readonly status: UsualPayStatus;
  /** `2026-12-24` */
  readonly validFrom: string;
  readonly lines: readonly {
    readonly walletType: WalletType;
    readonly amount: { readonly minor: string };
  }[];
}

/**
 * Amounts in minor units that confirmed changes make valid on a day, by wallet type; zero where nothing is paid. Of two
 * changes from one day the later one counts: ids sort in the order in which they were made.
 */
export function usualAmountsOn(
  changes: readonly Dated[],
  day: string,
): Readonly<Record<WalletType, bigint>> {
  const valid = changes
    .filter(({ status, validFrom }) => status === 'confirmed' && validFrom <= day)
    .toSorted((one, other) =>
      `${one.validFrom} ${one.id}` < `${other.validFrom} ${other.id}` ? -1 : 1,
    );
  const amountOf = (type: WalletType) => {
    const newest = valid
      .flatMap(({ lines }) => lines)
      .findLast(({ walletType }) => walletType === type);
    return BigInt(newest?.amount.minor ?? 0);
  };
  return {
    salary: amountOf('salary'),
    savings: amountOf('savings'),
    retirement: amountOf('retirement'),
    irs: amountOf('irs'),
  };
}

/** Sum of differences, each without its sign: what the setting about two people is compared with. */
export function usualPayDifference(
  lines: readonly { readonly beforeMinor: bigint; readonly amountMinor: bigint }[],
): bigint {
  return lines.reduce((sum, { beforeMinor, amountMinor }) => {
    const difference = amountMinor - beforeMinor;
    return sum + (difference < 0n ? -difference : difference);
  }, 0n);
}
