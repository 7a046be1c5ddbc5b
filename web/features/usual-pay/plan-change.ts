import type { UsualPay } from '#contract/api.ts';
import {
  AMOUNT_PROBLEM,
  decimalAmount,
  MAX_AMOUNT_MINOR,
  parseAmount,
  type Currency,
} from '#contract/money.ts';
import { problemOf } from '#contract/rules.ts';
import { usualAmountsOn, usualPayDifference, usualPayRules } from '#contract/usual-pay.ts';
import { type WalletType, WALLET_TYPES } from '#contract/wallets.ts';
import type { Problems } from '#web/lib/form.ts';
import { formatDay } from '#web/lib/format.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';

/** A change as it is typed: an amount for each wallet, null where nobody typed one. An empty one ends what is paid. */
export type ChangeValues = Record<WalletType, string | null> & {
  validFrom: string;
  reason: string;
};

/** Usual pay as it was when the dialog was opened, as far as a change is planned with it. */
type SeenPay = Pick<UsualPay, 'on' | 'rule' | 'wallets'> & {
  changes: Parameters<typeof usualAmountsOn>[0];
};

/** A wallet of the dialog. Amounts are minor units. */
interface PlannedWallet {
  walletType: WalletType;
  /** Null where no account of that type is open. */
  last4: string | null;
  beforeMinor: bigint;
  amountMinor: bigint;
  /** Text of its field: as typed, or else the amount that is valid on the day. */
  typed: string;
}

/** A change as far as it can be read. Amounts are minor units. */
export interface ChangePlan {
  /** Null while no payday is typed. */
  validFrom: string | null;
  /** Wallets that are open, paid on that day, or typed into. */
  wallets: PlannedWallet[];
  /** Wallets whose amount somebody typed, if it is another than that of the day. */
  lines: Pick<PlannedWallet, 'walletType' | 'beforeMinor' | 'amountMinor'>[];
  nowMinor: bigint;
  nextMinor: bigint;
  /** True if a second administrator has to confirm it. */
  needsSecond: boolean;
}

/** The values to begin with: no amount, and the next payday. */
export function initialChange({ on }: Pick<UsualPay, 'on'>): ChangeValues {
  const amounts = { salary: null, savings: null, retirement: null, irs: null };
  return { ...amounts, validFrom: typedDate(on), reason: '' };
}

/** Reads what is typed. An amount that cannot be read yet counts as unchanged. */
export function planChange(values: ChangeValues, pay: SeenPay, currency: Currency): ChangePlan {
  const validFrom = parseTypedDate(values.validFrom) ?? null;
  const now = usualAmountsOn(pay.changes, validFrom ?? pay.on);
  const wallets = WALLET_TYPES.flatMap((walletType) => {
    const beforeMinor = now[walletType];
    const typed = values[walletType];
    const open = pay.wallets.find((wallet) => wallet.walletType === walletType);
    if (open === undefined && beforeMinor === 0n && typed === null) return [];
    const amountMinor = readUsualAmount(typed, currency) ?? beforeMinor;
    return [
      {
        walletType,
        last4: open?.last4 ?? null,
        beforeMinor,
        amountMinor,
        typed: typed ?? amountText(beforeMinor),
      },
    ];
  });
  const lines = wallets
    .filter(({ beforeMinor, amountMinor }) => beforeMinor !== amountMinor)
    .map(({ walletType, beforeMinor, amountMinor }) => ({ walletType, beforeMinor, amountMinor }));
  const sum = (of: 'beforeMinor' | 'amountMinor') =>
    wallets.reduce((total, wallet) => total + wallet[of], 0n);
  const { rule } = pay;
  return {
    validFrom,
    wallets,
    lines,
    nowMinor: sum('beforeMinor'),
    nextMinor: sum('amountMinor'),
    needsSecond:
      rule !== null &&
      usualPayDifference(lines) + BigInt(rule.recent.minor) >= BigInt(rule.least.minor),
  };
}

/** Amount as a field shows it; empty where nothing is paid. */
function amountText(minor: bigint): string {
  return minor === 0n ? '' : groupAmount(decimalAmount(minor));
}

export function checkChange(
  values: ChangeValues,
  { paydays }: Pick<UsualPay, 'paydays'>,
  currency: Currency,
): Problems<ChangeValues> {
  const problems: Problems<ChangeValues> = {};
  for (const type of WALLET_TYPES) {
    if (values[type] !== null && readUsualAmount(values[type], currency) === null) {
      problems[type] = AMOUNT_PROBLEM;
    }
  }
  const day = dayProblem(values.validFrom, paydays);
  if (day !== undefined) problems.validFrom = day;
  const reason = problemOf(usualPayRules.reason, values.reason);
  if (reason !== undefined) problems.reason = reason;
  return problems;
}

/** Amount in minor units: zero of an empty field, null of a text that is no amount or where nobody typed one. */
export function readUsualAmount(typed: string | null, currency: Currency): bigint | null {
  if (typed === null) return null;
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
