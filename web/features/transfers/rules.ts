import type { AutomaticTransfers, RouteArguments } from '#contract/api.ts';
import {
  allotTransfers,
  formatPercent,
  isMoreThanWhole,
  PERCENT_PROBLEM,
  readPercent,
  type AllottedTransfer,
  type TransferKind,
  type TransferShare,
} from '#contract/automatic-transfers.ts';
import { errorSentence } from '#contract/errors.ts';
import {
  AMOUNT_PROBLEM,
  formatMoney,
  MAX_AMOUNT_MINOR,
  money,
  parseAmount,
  readAmount,
  type Currency,
} from '#contract/money.ts';
import { DEFAULT_URGENCY, URGENCY_DAYS } from '#contract/withdrawals.ts';
import type { Problems } from '#web/lib/form.ts';

/** A rule as it is shown or filled in; its place is that in its list. */
export type Rule = Omit<AutomaticTransfers['rules'][number], 'position'>;
export type Target = Rule['to'];
type NewRule = RouteArguments<'changeAutomaticTransfers'>['body']['rules'][number];

/** `Savings Account (401k)`, `Cascade Federal ••2208` */
export function targetLabel({ kind, name, last4 }: Target): string {
  return kind === 'wallet' ? name : `${name} ••${last4}`;
}

/** `$150.00`, `5%`, `Above $500.00` */
export function shareLabel({ kind, amount, percentHundredths }: Rule): string {
  if (percentHundredths !== null) return formatPercent(percentHundredths);
  const words = amount === null ? '' : formatMoney(amount);
  return kind === 'above' ? `Above ${words}` : words;
}

/** `$150.00 to Savings Account (401k)`, `Everything above $500.00 to Cascade Federal ••2208` */
export function ruleSentence(rule: Rule): string {
  const share =
    rule.kind === 'above' ? `Everything above ${formatMoney(keptOf(rule))}` : shareLabel(rule);
  return `${share} to ${targetLabel(rule.to)}`;
}

function keptOf({ amount }: Rule) {
  return amount ?? money(0n, 'USD');
}

const KIND_WORDS: Record<TransferKind, string> = {
  fixed: 'A fixed amount',
  percent: 'A percent of the payroll',
  above: 'What is available then',
};

/** `A fixed amount, into your wallet ••2094 immediately` */
export function ruleDetail({ kind, to }: Rule): string {
  const { label } = URGENCY_DAYS[DEFAULT_URGENCY];
  return to.kind === 'wallet'
    ? `${KIND_WORDS[kind]}, into your wallet ••${to.last4} immediately`
    : `${KIND_WORDS[kind]}, a withdrawal in ${label}`;
}

export function shareOf({ kind, amount, percentHundredths }: Rule): TransferShare {
  return kind === 'percent'
    ? { kind, hundredths: percentHundredths ?? 0 }
    : { kind, amountMinor: BigInt(amount?.minor ?? 0) };
}

/** A rule as it is sent. */
export function sentRule(rule: Rule): NewRule {
  const { kind, amount, percentHundredths } = rule;
  const to = { kind: rule.to.kind, id: rule.to.id };
  if (kind === 'percent') return { kind, percentHundredths: percentHundredths ?? 0, to };
  return { kind, amount: { ...(amount ?? money(0n, 'USD')) }, to };
}

/** Transfers that rules would have done with the last payroll; those that would be left out now take nothing. */
export function allotExample(
  { before, paid }: NonNullable<AutomaticTransfers['example']>,
  rules: readonly Rule[],
): (AllottedTransfer & { rule: Rule })[] {
  const paidMinor = BigInt(paid.minor);
  const availableMinor = BigInt(before.minor) + paidMinor;
  const shares = rules.map((rule) => ({ ...shareOf(rule), isLeftOut: rule.refusal !== null }));
  return allotTransfers(shares, { paidMinor, availableMinor }).flatMap((amounts, index) => {
    const rule = rules[index];
    return rule === undefined ? [] : [{ ...amounts, rule }];
  });
}

/** Rules with one at another place; the others keep their order. */
export function moved(rules: readonly Rule[], from: number, to: number): Rule[] {
  const others = rules.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...rules.slice(from, from + 1), ...others.slice(to)];
}

/** A rule as it is being filled in. */
export interface RuleValues {
  kind: TransferKind;
  /** As typed. */
  amount: string;
  percent: string;
  keep: string;
  /** Kind and id of the destination: `bank <id>`; empty while none is chosen. */
  to: string;
  /** Index among the other rules. */
  place: string;
}

export function targetValue({ kind, id }: Pick<Target, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

export function initialValues(rule: Rule | undefined, place: number): RuleValues {
  const typed = rule?.amount == null ? '' : formatTyped(rule.amount.minor);
  return {
    kind: rule?.kind ?? 'fixed',
    amount: rule?.kind === 'fixed' ? typed : '',
    percent: rule?.percentHundredths == null ? '' : String(rule.percentHundredths / 100),
    keep: rule?.kind === 'above' ? typed : '',
    to: rule === undefined ? '' : targetValue(rule.to),
    place: String(place),
  };
}

function formatTyped(minor: string): string {
  const digits = minor.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The rule that is being filled in; null while a value is missing or wrong. */
export function readRule(
  values: RuleValues,
  { targets, currency }: { targets: readonly Target[]; currency: Currency },
): Rule | null {
  const to = targets.find((target) => targetValue(target) === values.to);
  if (to === undefined) return null;
  const of = { to, refusal: null };
  if (values.kind === 'percent') {
    const percentHundredths = readPercent(values.percent);
    return percentHundredths === null
      ? null
      : { ...of, kind: 'percent', amount: null, percentHundredths };
  }
  const minor =
    values.kind === 'fixed' ? readAmount(values.amount, currency) : readKept(values.keep, currency);
  return minor === null
    ? null
    : { ...of, kind: values.kind, amount: money(minor, currency), percentHundredths: null };
}

/** An amount that may be zero. */
function readKept(typed: string, currency: Currency): bigint | null {
  const minor = parseAmount(typed, currency);
  return minor === null || minor > MAX_AMOUNT_MINOR ? null : minor;
}

/** Faults of a rule, with the others of the account. */
export function checkRule(
  values: RuleValues,
  known: { targets: readonly Target[]; currency: Currency; others: readonly Rule[] },
): Problems<RuleValues> {
  const problems: Problems<RuleValues> = {};
  const { currency, others } = known;
  if (values.kind === 'fixed' && readAmount(values.amount, currency) === null) {
    problems.amount = AMOUNT_PROBLEM;
  }
  if (values.kind === 'above' && readKept(values.keep, currency) === null) {
    problems.keep = AMOUNT_PROBLEM;
  }
  if (values.kind === 'percent') {
    const hundredths = readPercent(values.percent);
    if (hundredths === null) problems.percent = PERCENT_PROBLEM;
    else if (isMoreThanWhole([...others.map(shareOf), { kind: 'percent', hundredths }])) {
      problems.percent = errorSentence('automatic_percent_sum');
    }
  }
  if (values.to === '') problems.to = 'Choose an account';
  return problems;
}
