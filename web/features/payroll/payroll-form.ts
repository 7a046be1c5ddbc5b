import type { RouteInput } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import {
  AMOUNT_PROBLEM,
  decimalAmount,
  money,
  readAmount,
  type Currency,
} from '#contract/money.ts';
import { payrollOrderRules } from '#contract/payroll.ts';
import { MISSING } from '#contract/rules.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import type { WalletType } from '#contract/wallets.ts';
import { checkRules, useFormState } from '#web/kit/form-state.ts';
import { typedDateProblem } from '#web/lib/typed-date.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { useCompany } from '#web/lib/company.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import type { Problems } from '#web/lib/form.ts';

/** Form values as typed. '' means that nothing is chosen. */
interface PayrollValues {
  walletType: WalletType | '';
  department: Department | 'all' | 'chosen' | '';
  /** Amount per employee as typed: "1,920.00". */
  amount: string;
  description: string;
  /** Pay date as typed: "12/11/2026". */
  payOn: string;
  howMuch: 'same' | 'own';
}

/** Order that is previewed and then sent. */
export type PayrollOrder = RouteInput<'adminPreviewPayroll'>['body'];

const EMPTY: PayrollValues = {
  walletType: '',
  department: '',
  amount: '',
  description: '',
  payOn: '',
  howMuch: 'same',
};

/** Messages for empty fields. */
const NOT_GIVEN = {
  walletType: 'Choose a wallet type',
  department: 'Choose a department',
  amount: 'Enter an amount',
};

function check(values: PayrollValues, currency: Currency): Problems<PayrollValues> {
  const problems = checkRules(values, payrollOrderRules);
  const isOwn = values.howMuch === 'own';
  for (const name of ['walletType', 'department', 'amount'] as const) {
    if (name === 'amount' && isOwn) continue;
    if (values[name].trim() === '') problems[name] = NOT_GIVEN[name];
  }
  if (values.payOn !== '') problems.payOn = typedDateProblem(values.payOn);
  if (!isOwn && problems.amount === undefined && readAmount(values.amount, currency) === null) {
    problems.amount = AMOUNT_PROBLEM;
  }
  return problems;
}

/** Order described by the values. Null if they are incomplete. */
function orderOf(values: PayrollValues, currency: Currency): PayrollOrder | null {
  const { walletType, department } = values;
  const amountMinor = readAmount(values.amount, currency);
  const description = values.description.trim();
  const payOn = payDayOf(values);
  if (values.howMuch === 'own' || payOn === null) return null;
  if (walletType === '' || amountMinor === null || description === '') return null;
  if (department === '' || department === 'chosen') return null;
  return {
    walletType,
    department,
    amount: money(amountMinor, currency),
    description,
    ...(payOn !== undefined && { payOn }),
  };
}

/** The order without an amount, for a draft. Null while something is missing that a draft needs. */
function orderedOf(values: PayrollValues) {
  const { walletType, department, description } = values;
  const payOn = payDayOf(values);
  if (walletType === '' || department === '' || payOn === null) return null;
  return { walletType, department, payOn: payOn ?? null, description: description.trim() };
}

/** The pay date; undefined without one, null for what is no date. */
function payDayOf({ payOn }: PayrollValues): string | undefined | null {
  return payOn === '' ? undefined : (parseTypedDate(payOn) ?? null);
}

/**
 * State of the Send Payroll form. The page keeps it, so that visiting the history loses nothing.
 */
export function usePayrollForm() {
  const { currency } = useCompany();
  const state = useFormState<PayrollValues>({
    initial: EMPTY,
    check: (values) => check(values, currency),
  });
  const { form, problems } = state;
  useUnsavedWork(form.formState.isDirty, 'screen');
  const isOnlyAmountWrong = problems.every(({ message }) => message === AMOUNT_PROBLEM);
  return {
    state,
    summaryTitle: isOnlyAmountWrong ? AMOUNT_PROBLEM : MISSING,
    order: orderOf(form.watch(), currency),
    ordered: orderedOf(form.watch()),
    /** True if each person gets their own amount, which a draft keeps. */
    isOwn: form.watch('howMuch') === 'own',
    /** True if the people are chosen by name, whom a draft keeps as well. */
    isChosen: form.watch('department') === 'chosen',
    /** The same amount for each in minor units; null while there is none. */
    amountMinor: readAmount(form.watch('amount'), currency),
    currency,
    clear: () => form.reset(EMPTY),
    /** Fills the form with a complete order, which is then previewed and confirmed as usual. */
    fill: ({ walletType, department, amount, description }: PayrollOrder) =>
      form.reset({
        ...EMPTY,
        walletType,
        department,
        amount: groupAmount(decimalAmount(BigInt(amount.minor))),
        description,
      }),
  };
}

export type PayrollForm = ReturnType<typeof usePayrollForm>;
