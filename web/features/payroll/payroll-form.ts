import { useForm } from 'react-hook-form';
import type { RouteInput } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import { MAX_AMOUNT_MINOR, money, parseAmount, type Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { useCompany } from '#web/lib/company.ts';
import { FORM_MODES, checkedBy, useField, useFormProblems, type Problems } from '#web/lib/form.ts';

/** The form as typed; '' where nothing is chosen. */
interface PayrollValues {
  walletType: WalletType | '';
  department: Department | 'all' | '';
  /** Per employee, as typed: "1,920.00". */
  amount: string;
  description: string;
}

/** What is previewed and then sent. */
export type PayrollOrder = RouteInput<'previewPayroll'>['body'];

const EMPTY: PayrollValues = { walletType: '', department: '', amount: '', description: '' };
const NAMES = ['walletType', 'department', 'amount', 'description'] as const;

const MISSING: Record<keyof PayrollValues, string> = {
  walletType: 'Choose a wallet type',
  department: 'Choose a department',
  amount: 'Enter an amount',
  description: 'Enter a description',
};
const AMOUNT_INVALID = 'Please enter a valid amount';

function check(values: PayrollValues): Problems<PayrollValues> {
  const problems: Problems<PayrollValues> = {};
  for (const name of NAMES) {
    if (values[name].trim() === '') problems[name] = MISSING[name];
  }
  if (problems.amount === undefined && readAmount(values.amount) === null) {
    problems.amount = AMOUNT_INVALID;
  }
  return problems;
}

/** Minor units above zero that one request may name; null for anything else. */
function readAmount(typed: string): bigint | null {
  const amount = parseAmount(typed);
  return amount === null || amount <= 0n || amount > MAX_AMOUNT_MINOR ? null : amount;
}

/** The order that the values make; null while they are not complete. */
function orderOf(values: PayrollValues, currency: Currency): PayrollOrder | null {
  const { walletType, department } = values;
  const amountMinor = readAmount(values.amount);
  const description = values.description.trim();
  if (walletType === '' || department === '' || amountMinor === null || description === '') {
    return null;
  }
  return { walletType, department, amount: money(amountMinor, currency), description };
}

/** The form of Send Payroll. The page keeps it, so that a look at the history loses nothing. */
export function usePayrollForm() {
  const { currency } = useCompany();
  const form = useForm<PayrollValues>({
    ...FORM_MODES,
    resolver: checkedBy(check),
    defaultValues: EMPTY,
    // The summary takes the focus.
    shouldFocusError: false,
  });
  const fields = {
    walletType: useField(form, 'walletType'),
    department: useField(form, 'department'),
    amount: useField(form, 'amount'),
    description: useField(form, 'description'),
  };
  const { problems, attempt } = useFormProblems(form, NAMES);
  const isOnlyAmountWrong = problems.every(({ message }) => message === AMOUNT_INVALID);
  return {
    fields,
    problems,
    attempt,
    summaryTitle: isOnlyAmountWrong ? AMOUNT_INVALID : 'Please fill in all required fields',
    order: orderOf(
      {
        walletType: fields.walletType.value,
        department: fields.department.value,
        amount: fields.amount.value,
        description: fields.description.value,
      },
      currency,
    ),
    currency,
    /** Checks the form; calls back only when nothing is wrong. */
    submit: (onRight: () => void) => void form.handleSubmit(onRight)(),
    clear: () => form.reset(EMPTY),
  };
}

export type PayrollForm = ReturnType<typeof usePayrollForm>;
