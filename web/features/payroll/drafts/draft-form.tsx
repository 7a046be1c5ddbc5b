import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PayrollDraft } from '#contract/api.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { AMOUNT_PROBLEM, decimalAmount, money, readAmount } from '#contract/money.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { apiQuery } from '#web/api/query.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DEPARTMENT_LABELS, DEPARTMENT_OPTIONS, WALLET_OPTIONS } from '../words.ts';
import type { Fields } from './conflict.ts';
import { DraftWallets } from './draft-wallets.tsx';
import type { DraftState, DraftWork } from './draft-work.ts';

/** Origin of amounts that can be filled in again. */
type Source = NonNullable<Fields['startFrom']>;

/** Text of a field, which may not mean anything yet. It follows what is saved when that becomes something else. */
function useTyped(saved: string, means: (text: string) => string | undefined) {
  const [text, setText] = useState(saved);
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    if (means(text) !== saved) setText(saved);
  }
  return [text, setText] as const;
}

/** The order as it is typed, over what is saved. */
function orderOf({ loaded: { draft }, fields }: DraftState) {
  return {
    walletType: fields.walletType ?? draft.walletType,
    department: fields.department ?? draft.department,
    description: fields.description ?? draft.description,
    // Null says that there is none.
    payOn: fields.payOn === undefined ? draft.payOn : fields.payOn,
    amount: fields.amount === undefined ? draft.amount : fields.amount,
  };
}

/** The fields whose text is more than what it means, with what is wrong with them. */
export function useDraftTexts(state: DraftState, { set }: Pick<DraftWork, 'set'>) {
  const { currency } = useCompany();
  const { payOn, amount } = orderOf(state);
  const amountText = (typed: string) => {
    const minor = readAmount(typed, currency);
    return minor === null ? undefined : groupAmount(decimalAmount(minor));
  };
  const [day, setDay] = useTyped(payOn === null ? '' : typedDate(payOn), (text) => {
    const read = parseTypedDate(text);
    return read === undefined ? undefined : typedDate(read);
  });
  const [sum, setSum] = useTyped(
    amount === null ? '' : groupAmount(decimalAmount(BigInt(amount.minor))),
    amountText,
  );
  const dayProblem = day === '' ? undefined : typedDateProblem(day);
  const sumProblem = sum === '' || amountText(sum) !== undefined ? undefined : AMOUNT_PROBLEM;
  return {
    payOn: {
      value: day,
      error: dayProblem,
      onChange: (typed: string) => {
        setDay(typed);
        const read = parseTypedDate(typed);
        if (typed === '' || read !== undefined) set({ payOn: read ?? null });
      },
    },
    amount: {
      value: sum,
      error: sumProblem,
      onChange: (typed: string) => {
        setSum(typed);
        const minor = readAmount(typed, currency);
        if (typed.trim() === '') set({ amount: null });
        else if (minor !== null) set({ amount: money(minor, currency) });
      },
    },
    isWrong: (dayProblem ?? sumProblem) !== undefined,
  };
}

interface DraftFormProps {
  state: DraftState;
  work: DraftWork;
  texts: ReturnType<typeof useDraftTexts>;
  /** Opens another part of the payroll. */
  onOpen: (draftId: string) => void;
}

/** Order of a draft, apart from the amounts of people. */
export function DraftForm({ state, work, texts, onOpen }: DraftFormProps) {
  const name = useId();
  const { currency } = useCompany();
  const { draft } = state.loaded;
  const order = orderOf(state);
  const stats = useQuery(apiQuery('adminGetPayrollStats', {}));
  const [replacing, setReplacing] = useState<Fields>();
  const hasAmounts = draft.hasOwnAmounts && (draft.employees > 0 || state.edits.size > 0);
  const source = sourceOf(state.fields.startFrom ?? draft.startedFrom);

  /** Changes whom or what is paid. Where amounts came from somewhere they are filled in again, after a question. */
  function change(fields: Fields, again: Source | null = source): void {
    const filled = draft.hasOwnAmounts && again !== null ? { ...fields, startFrom: again } : fields;
    if (filled.startFrom !== undefined && hasAmounts) setReplacing(filled);
    else work.set(filled);
  }

  return (
    <form className="form" onSubmit={(event) => event.preventDefault()} noValidate>
      <DateField
        label="Pay date"
        name={`${name}-on`}
        hint={payDateHint(order.payOn, stats.data?.nextPayroll ?? null)}
        {...texts.payOn}
      />
      <Select
        label="Wallet Type"
        name={`${name}-wallet`}
        isRequired
        placeholder="Choose a wallet type"
        options={WALLET_OPTIONS.filter(
          ({ value }) =>
            value === order.walletType ||
            draft.wallets.every(({ walletType }) => walletType !== value),
        )}
        value={order.walletType}
        onChange={(walletType) => {
          if (walletType !== order.walletType) change({ walletType });
        }}
      />
      <DraftWallets draft={draft} onSave={() => work.flush()} onOpen={onOpen} />
      {order.department === 'chosen' ? (
        <p className="muted">{DEPARTMENT_LABELS.chosen}</p>
      ) : (
        <Select
          label="Department"
          name={`${name}-department`}
          isRequired
          placeholder="Choose a department"
          options={DEPARTMENT_OPTIONS}
          value={order.department}
          onChange={(department) => {
            if (department !== order.department) change({ department });
          }}
        />
      )}
      <TextField
        label="Description"
        name={`${name}-description`}
        isRequired
        maxLength={DESCRIPTION_MAX_LENGTH}
        hint="Shown to each employee with the transaction."
        value={order.description}
        onChange={(description) => work.set({ description })}
      />
      {draft.hasOwnAmounts ? (
        <>
          <RadioChoices<Source>
            label="Start from"
            name={`${name}-from`}
            value={source ?? ''}
            choices={SOURCES}
            onChange={(startFrom) => change({}, startFrom)}
          />
          {source !== null && (
            <Button shape="text" onPress={() => change({})}>
              {AGAIN[source]}
            </Button>
          )}
        </>
      ) : (
        <MoneyField
          label="Amount"
          name={`${name}-amount`}
          currency={currency}
          isRequired
          hint="Per employee"
          {...texts.amount}
        />
      )}
      {replacing !== undefined && (
        <ConfirmDialog
          title="Fill in all amounts again?"
          kind="solid"
          keepLabel="Keep Amounts"
          confirmLabel="Replace"
          onClose={() => setReplacing(undefined)}
          onConfirm={() => {
            work.set(replacing);
            setReplacing(undefined);
          }}
        >
          The amounts of this draft are replaced. What was typed is gone.
        </ConfirmDialog>
      )}
    </form>
  );
}

const SOURCES = [
  { value: 'usual', label: 'Usual pay' },
  { value: 'last', label: 'Last payroll' },
] as const;

/** After another pay date, or a change of usual pay, amounts may be others. */
const AGAIN: Record<Source, string> = {
  usual: 'Fill In Usual Pay Again',
  last: 'Fill In Last Payroll Again',
};

function sourceOf(source: PayrollDraft['startedFrom']): Source | null {
  return source === 'usual' || source === 'last' ? source : null;
}

function payDateHint(day: string | null, nextPayday: string | null): string {
  if (day === null) return 'Left empty, it is paid as soon as it can no longer be stopped.';
  if (day === nextPayday) return 'The next payday. Paid from 6:00 AM.';
  return nextPayday === null
    ? 'Paid from 6:00 AM.'
    : `Not a payday: the next is ${formatDay(nextPayday, 'weekday')}.`;
}
