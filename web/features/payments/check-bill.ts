import type { Bill, Payee, RouteInput, Wallet } from '#contract/api.ts';
import { ACCOUNT_FORMAT_OF, ACCOUNTS, type AccountFormat } from '#contract/account-formats.ts';
import type { BankAccountType } from '#contract/bank-accounts.ts';
import { bankHoliday } from '#contract/bank-holidays.ts';
import { addDays } from '#contract/calendar.ts';
import {
  BILL_DAYS_AHEAD,
  BILL_FREQUENCIES,
  BILL_LIMITS,
  billArrivesBy,
  billPayDay,
  billRules,
  hasShortMonths,
  STANDING_HOLD_DAYS,
  type BillFrequency,
  type PayeeKind,
} from '#contract/bills.ts';
import { errorSentence } from '#contract/errors.ts';
import {
  AMOUNT_PROBLEM,
  formatMoney,
  money,
  readAmount,
  type Currency,
  type Money,
} from '#contract/money.ts';
import { problemOf, problemUnlessEmpty } from '#contract/rules.ts';
import { accountLabel } from '#web/lib/account-label.ts';
import { summaryTitle, type Problems } from '#web/lib/form.ts';
import { formatDay } from '#web/lib/format.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDateProblem } from '#web/lib/typed-date.ts';

/** In place of a payee's id: one who is entered with the bill. */
export const NEW_PAYEE = 'new';

/** In place of how often it is paid: once. */
export const ONCE = 'once';

/** A bill as it is being filled in. */
export interface BillValues {
  /** An id, or NEW_PAYEE. */
  payeeId: string;
  name: string;
  kind: PayeeKind;
  routingNumber: string;
  accountNumber: string;
  accountType: BankAccountType;
  customerNumber: string;
  isSaved: boolean;
  walletId: string;
  /** As typed, like the days. */
  amount: string;
  payOn: string;
  dueOn: string;
  /** A frequency, or ONCE. */
  repeats: string;
  /** The last day on which it is repeated. */
  endsOn: string;
  memo: string;
}

/** Message at a field where nothing was chosen or typed. */
export const NOT_GIVEN = {
  payeeId: 'Choose a payee',
  walletId: 'Choose an account',
  amount: 'Enter an amount',
  payOn: 'Choose a day',
} as const;

/** Sentence over the problems, where something is missing and otherwise. */
export function billSummary(problems: readonly { message: string }[]): string {
  return summaryTitle(problems, NOT_GIVEN, 'Please check your bill');
}

/** Facts that a bill is checked against. */
export interface BillChoices {
  wallets: readonly Wallet[];
  /** Those outside. */
  payees: readonly Payee[];
  /** Today of the company: `2026-12-08`. */
  today: string;
  /** Currency of the company, which decides on banking days and the format of the accounts of new payees. */
  currency: Currency;
  /** The bill that is changed: its money counts as available. */
  changed?: Bill | undefined;
}

/** Facts by which a day of payment becomes a banking day. */
type BillDays = Pick<BillChoices, 'today' | 'currency'>;

/** Amount that can be spent from a wallet, with the hold of the bill that is changed. */
export function availableFor({ id, available }: Wallet, changed: Bill | undefined): Money {
  if (changed === undefined || changed.walletId !== id) return available;
  return money(BigInt(available.minor) + BigInt(changed.amount.minor), available.currency);
}

export function checkBill(values: BillValues, choices: BillChoices): Problems<BillValues> {
  const wallet = choices.wallets.find(({ id }) => id === values.walletId);
  const isNew = values.payeeId === NEW_PAYEE;
  const payee = choices.payees.find(({ id }) => id === values.payeeId);
  return {
    payeeId: isNew ? undefined : payeeProblem(payee),
    ...(isNew ? payeeProblems(values, { format: ACCOUNT_FORMAT_OF[choices.currency] }) : {}),
    walletId: wallet === undefined ? NOT_GIVEN.walletId : undefined,
    amount: amountProblem(values, wallet, choices),
    payOn: values.payOn.trim() === '' ? NOT_GIVEN.payOn : dayProblem(values.payOn, choices.today),
    dueOn: values.dueOn.trim() === '' ? undefined : typedDateProblem(values.dueOn),
    endsOn: frequencyOf(values) === null ? undefined : endProblem(values),
    memo: problemUnlessEmpty(billRules.memo, values.memo),
  };
}

function payeeProblem(payee: Payee | undefined): string | undefined {
  if (payee === undefined) return NOT_GIVEN.payeeId;
  return payee.returned === null ? undefined : errorSentence('payee_returned');
}

/** Faults of a payee's details; an account number that is kept may be left empty. */
export function payeeProblems(
  values: Pick<BillValues, 'name' | 'routingNumber' | 'accountNumber' | 'customerNumber'>,
  { format, keepsNumber = false }: { format: AccountFormat; keepsNumber?: boolean },
): Problems<BillValues> {
  const { routing, number } = ACCOUNTS[format];
  const ofNumber = keepsNumber ? problemUnlessEmpty : problemOf;
  return {
    name: problemOf(billRules.name, values.name),
    routingNumber: routing === null ? undefined : problemOf(routing.rule, values.routingNumber),
    accountNumber: ofNumber(number.rule, values.accountNumber),
    customerNumber: problemUnlessEmpty(billRules.customerNumber, values.customerNumber),
  };
}

/** Rhythm of the bill; null: once. */
function frequencyOf({ repeats }: Pick<BillValues, 'repeats'>): BillFrequency | null {
  return BILL_FREQUENCIES.find((frequency) => frequency === repeats) ?? null;
}

/** True if the amount is held as soon as it is confirmed: a standing bill's first may be far off. */
function isHeldNow(values: BillValues, { today, currency }: BillDays): boolean {
  const payOn = parseTypedDate(values.payOn);
  if (frequencyOf(values) === null || payOn === undefined) return true;
  return billPayDay(payOn, today, currency) <= addDays(today, STANDING_HOLD_DAYS);
}

/** Why a bill for the typed day is paid on another; nothing where it is paid on that day. */
export function movedDayWords(typed: string, { today, currency }: BillDays): string | undefined {
  const day = parseTypedDate(typed);
  if (day === undefined || day < today) return undefined;
  const paysOn = billPayDay(day, today, currency);
  if (paysOn === day) return undefined;
  return `${formatDay(day, 'weekday')} is ${bankHoliday(day, currency) ?? 'a weekend'}. Pays on ${formatDay(paysOn, 'weekday')}.`;
}

/** Says that a bill reaches its payee after its due day; nothing where it is in time. */
export function lateWords(
  { paysOn, dueOn }: Pick<BillPlan, 'paysOn' | 'dueOn'>,
  currency: Currency,
): string | null {
  const arrivesBy = billArrivesBy(paysOn, currency);
  if (dueOn === null || arrivesBy <= dueOn) return null;
  return `It may arrive as late as ${formatDay(arrivesBy, 'weekday')}, after it is due. Choose an earlier day to be in time.`;
}

/** The same of a bill that is being filled in. */
export function lateHint(
  { payOn, dueOn, repeats }: Pick<BillValues, 'payOn' | 'dueOn' | 'repeats'>,
  { today, currency }: BillDays,
): string | undefined {
  const day = parseTypedDate(payOn);
  if (day === undefined || day < today || repeats !== ONCE) return undefined;
  const due = parseTypedDate(dueOn) ?? null;
  return lateWords({ paysOn: billPayDay(day, today, currency), dueOn: due }, currency) ?? undefined;
}

/** Sentence about months that are too short for the day of a standing bill; null where every month has it. */
export function shortMonthWords(bill: {
  startsOn: string;
  frequency: BillFrequency;
}): string | null {
  if (!hasShortMonths(bill)) return null;
  const day = Number(bill.startsOn.slice(8));
  return `In a month without a day ${day} it is paid on the last day of the month.`;
}

function endProblem({ endsOn, payOn }: BillValues): string | undefined {
  if (endsOn.trim() === '') return undefined;
  const last = parseTypedDate(endsOn);
  if (last === undefined) return typedDateProblem(endsOn);
  const first = parseTypedDate(payOn);
  if (first === undefined || last >= first) return undefined;
  return errorSentence('standing_bill_end_invalid', { from: formatDay(first, 'date') });
}

function amountProblem(
  values: BillValues,
  wallet: Wallet | undefined,
  choices: BillChoices,
): string | undefined {
  const typed = values.amount;
  if (typed.trim() === '') return NOT_GIVEN.amount;
  const minor = readAmount(typed, wallet?.available.currency);
  if (minor === null) return AMOUNT_PROBLEM;
  if (wallet === undefined) return undefined;
  const available = availableFor(wallet, choices.changed);
  if (isHeldNow(values, choices) && minor > BigInt(available.minor)) {
    return errorSentence('insufficient_funds', { available: formatMoney(available) });
  }
  const { mostMinor } = BILL_LIMITS;
  if (minor <= mostMinor) return undefined;
  return errorSentence('bill_limit', { limit: formatMoney(money(mostMinor, available.currency)) });
}

/** The fault of a typed day of payment. @param today today of the company */
export function dayProblem(typed: string, today: string): string | undefined {
  const day = parseTypedDate(typed);
  if (day === undefined) return typedDateProblem(typed);
  const last = addDays(today, BILL_DAYS_AHEAD);
  if (day >= today && day <= last) return undefined;
  return errorSentence('bill_day_invalid', {
    from: formatDay(today, 'date'),
    to: formatDay(last, 'date'),
  });
}

/** A payee who is entered with the bill. */
export type NewPayee = RouteInput<'addPayee'>['body'];

/** A bill that has been checked and can be scheduled once its owner confirms it. */
export interface BillPlan {
  payee: Payee | NewPayee;
  wallet: Wallet;
  amount: Money;
  availableAfter: Money;
  /** The day that was chosen. */
  payOn: string;
  /** The banking day on which it is paid. */
  paysOn: string;
  dueOn: string | null;
  /** Null: it is paid once. */
  repeat: { frequency: BillFrequency; endsOn: string | null } | null;
  /** True if the amount is held as soon as it is confirmed. */
  isHeldNow: boolean;
  memo: string;
}

/** Null for values that were not checked. */
export function planBill(values: BillValues, choices: BillChoices): BillPlan | null {
  const { wallets, payees, changed, today, currency } = choices;
  const wallet = wallets.find(({ id }) => id === values.walletId);
  const minor = readAmount(values.amount, wallet?.available.currency);
  const payOn = parseTypedDate(values.payOn);
  const payee =
    values.payeeId === NEW_PAYEE
      ? newPayeeOf(values, ACCOUNT_FORMAT_OF[currency])
      : payees.find(({ id }) => id === values.payeeId);
  if (wallet === undefined || minor === null || payOn === undefined || payee === undefined) {
    return null;
  }
  const available = availableFor(wallet, changed);
  const frequency = frequencyOf(values);
  return {
    payee,
    wallet,
    payOn,
    paysOn: billPayDay(payOn, today, currency),
    amount: money(minor, available.currency),
    availableAfter: money(BigInt(available.minor) - minor, available.currency),
    dueOn: frequency === null ? (parseTypedDate(values.dueOn) ?? null) : null,
    repeat:
      frequency === null ? null : { frequency, endsOn: parseTypedDate(values.endsOn) ?? null },
    isHeldNow: isHeldNow(values, choices),
    memo: billRules.memo.clean(values.memo),
  };
}

function newPayeeOf(values: BillValues, format: AccountFormat): NewPayee {
  const { kind, accountType, isSaved } = values;
  const { routing, number } = ACCOUNTS[format];
  return {
    kind,
    accountType,
    isSaved,
    name: billRules.name.clean(values.name),
    routingNumber: routing === null ? '' : routing.rule.clean(values.routingNumber),
    accountNumber: number.rule.clean(values.accountNumber),
    customerNumber: billRules.customerNumber.clean(values.customerNumber),
  };
}

/** A bill's payee as it is shown: "Harbor Fiber, checking ••5502". */
export function payeeFacts(payee: Payee | NewPayee): { to: string; customerNumber: string } {
  const { name } = payee;
  if ('accountNumber' in payee) {
    const { routingNumber = '', accountType, accountNumber, customerNumber = '' } = payee;
    const last4 = accountNumber.slice(-4);
    return { to: accountLabel(name, { routingNumber, accountType, last4 }), customerNumber };
  }
  const { account } = payee;
  return account === null
    ? { to: name, customerNumber: '' }
    : {
        to: accountLabel(name, { ...account, accountType: account.type }),
        customerNumber: account.customerNumber,
      };
}
