import type { UsualPay } from '#contract/api.ts';
import { MAX_AMOUNT_MINOR, parseAmount, type Currency } from '#contract/money.ts';
import { AMOUNT_PROBLEM, problemOf } from '#contract/rules.ts';
import { usualAmountsOn, usualPayDifference, usualPayRules } from '#contract/usual-pay.ts';
import { WALLET_TYPES, type WalletType } from '#contract/wallets.ts';
import type { Problems } from '#web/lib/form.ts';
import { formatDay } from '#web/lib/format.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDateProblem } from '#web/lib/typed-date.ts';

/** A change as it is typed: an amount for each wallet, empty where nothing is paid. */
export type ChangeValues = Record<WalletType, string> & { validFrom: string; reason: string };

/** A change as far as it can be read. Amounts are minor units. */
export interface ChangePlan {
  /** Null while no payday is typed. */
  validFrom: string | null;
  lines: { walletType: WalletType; beforeMinor: bigint; amountMinor: bigint }[];
  nowMinor: bigint;
  nextMinor: bigint;
  /** True if a second administrator has to confirm it. */
  needsSecond: boolean;
}

/** Reads what is typed. An amount that cannot be read yet counts as unchanged. */
export function planChange(
  values: ChangeValues,
  pay: Pick<UsualPay, 'changes' | 'on' | 'rule'>,
  currency: Currency,
): ChangePlan {
  const validFrom = parseTypedDate(values.validFrom) ?? null;
  const now = usualAmountsOn(pay.changes, validFrom ?? pay.on);
  const amounts = WALLET_TYPES.map((walletType) => {
    const beforeMinor = now[walletType];
    const amountMinor = readUsualAmount(values[walletType], currency) ?? beforeMinor;
    return { walletType, beforeMinor, amountMinor };
  });
  const sum = (of: 'beforeMinor' | 'amountMinor') =>
    amounts.reduce((total, line) => total + line[of], 0n);
  const { rule } = pay;
  return {
    validFrom,
    lines: amounts.filter(({ beforeMinor, amountMinor }) => beforeMinor !== amountMinor),
    nowMinor: sum('beforeMinor'),
    nextMinor: sum('amountMinor'),
    needsSecond:
      rule !== null &&
      usualPayDifference(amounts) + BigInt(rule.recent.minor) >= BigInt(rule.least.minor),
  };
}

export function checkChange(
  values: ChangeValues,
  { paydays }: Pick<UsualPay, 'paydays'>,
  currency: Currency,
): Problems<ChangeValues> {
  const problems: Problems<ChangeValues> = {};
  for (const type of WALLET_TYPES) {
    if (readUsualAmount(values[type], currency) === null) problems[type] = AMOUNT_PROBLEM;
  }
  const day = dayProblem(values.validFrom, paydays);
  if (day !== undefined) problems.validFrom = day;
  const reason = problemOf(usualPayRules.reason, values.reason);
  if (reason !== undefined) problems.reason = reason;
  return problems;
}

/** Amount in minor units: zero of an empty field, null of a text that is no amount. */
function readUsualAmount(typed: string, currency: Currency): bigint | null {
  if (typed.trim() === '') return 0n;
  const minor = parseAmount(typed, currency);
  return minor === null || minor > MAX_AMOUNT_MINOR ? null : minor;
}

function dayProblem(typed: string, paydays: readonly string[]): string | undefined {
  const problem = typed.trim() === '' ? 'Enter a payday' : typedDateProblem(typed);
  const day = parseTypedDate(typed);
  if (problem !== undefined || day === undefined) return problem;
  if (paydays.length === 0 || paydays.includes(day)) return undefined;
  const next = paydays.find((payday) => payday > day);
  return `Not a payday${next === undefined ? '' : `. The next one is ${formatDay(next, 'date')}`}`;
}

/** "+4.7%" of a change; undefined where nothing was paid before. */
export function percentOf({ nowMinor, nextMinor }: ChangePlan): string | undefined {
  if (nowMinor === 0n) return undefined;
  const percent = (Number(nextMinor - nowMinor) / Number(nowMinor)) * 100;
  return `${percent < 0 ? '\u2212' : '+'}${Math.abs(percent).toFixed(1)}%`;
}
