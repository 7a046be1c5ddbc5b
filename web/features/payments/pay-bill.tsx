import { useState } from 'react';
import type { Bill, Payee, Wallet } from '#contract/api.ts';
import { BILL_FREQUENCIES, BILL_FREQUENCY_LABELS } from '#contract/bills.ts';
import { dayIn } from '#contract/calendar.ts';
import { decimalAmount } from '#contract/money.ts';
import { CompanyDays } from '#web/kit/company-days.tsx';
import { useFormState, type FormState } from '#web/kit/form-state.ts';
import { useCompany } from '#web/lib/company.ts';
import { parseTypedDate, typedDate } from '#web/lib/typed-date.ts';
import { WalletField } from '#web/kit/wallet-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { BillReceipt } from './bill-receipt.tsx';
import { BillReview } from './bill-review.tsx';
import {
  availableFor,
  billSummary,
  checkBill,
  lateHint,
  movedDayWords,
  NEW_PAYEE,
  ONCE,
  planBill,
  shortMonthWords,
  type BillChoices,
  type BillPlan,
  type BillValues,
} from './check-bill.ts';
import { PayeeFields } from './payee-fields.tsx';
import { ReturnedPayeeNotice } from './returned-payee.tsx';
import { StandingBillReceipt } from './standing-bill-receipt.tsx';
import { useScheduleBill, type Scheduled } from './use-schedule-bill.ts';
import './payments.css';

interface PayBillProps {
  /** At least one. */
  wallets: readonly Wallet[];
  /** Those outside. */
  payees: readonly Payee[];
  /** Values to begin with, of a saved payee or an earlier bill. */
  begin?: Partial<BillValues> | undefined;
  /** The bill to change; a new one is scheduled without it. */
  changed?: Bill | undefined;
  onClose: () => void;
}

type Step =
  | { kind: 'fill' }
  | { kind: 'review'; plan: BillPlan }
  | { kind: 'receipt'; scheduled: Scheduled; plan: BillPlan };

/** Fill, review, receipt: the three steps of a bill. Shown while it is mounted. */
export function PayBill({ wallets, payees, begin, changed, onClose }: PayBillProps) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const [step, setStep] = useState<Step>({ kind: 'fill' });
  const choices: BillChoices = { wallets, payees, today, changed };
  const state = useFormState<BillValues>({
    initial: { ...initialValues(choices), ...begin },
    check: (values) => checkBill(values, choices),
  });
  const { outcome, send } = useScheduleBill({
    changed,
    onScheduled: (scheduled) => {
      if (step.kind === 'review') setStep({ kind: 'receipt', scheduled, plan: step.plan });
    },
    onRefused: (problem) => {
      setStep({ kind: 'fill' });
      if (problem === undefined) return;
      state.form.setError(problem.field, { type: 'server', message: problem.message });
    },
  });
  if (step.kind === 'receipt') {
    const { scheduled, plan } = step;
    return scheduled.kind === 'bill' ? (
      <BillReceipt bill={scheduled.bill} available={plan.availableAfter} onClose={onClose} />
    ) : (
      <StandingBillReceipt standing={scheduled.standing} onClose={onClose} />
    );
  }
  if (step.kind === 'review') {
    return (
      <BillReview
        plan={step.plan}
        outcome={outcome}
        onBack={() => setStep({ kind: 'fill' })}
        onConfirm={() => send(step.plan)}
      />
    );
  }
  return (
    <FillBill
      state={state}
      choices={choices}
      onClose={onClose}
      onReview={(plan) => setStep({ kind: 'review', plan })}
    />
  );
}

function initialValues({ wallets, changed }: BillChoices): BillValues {
  const bill = changed;
  return {
    payeeId: bill?.payee.id ?? NEW_PAYEE,
    name: '',
    kind: 'business',
    routingNumber: '',
    accountNumber: '',
    accountType: 'checking',
    customerNumber: '',
    isSaved: true,
    walletId: bill?.walletId ?? wallets[0]?.id ?? '',
    amount: bill === undefined ? '' : decimalAmount(BigInt(bill.amount.minor)),
    payOn: bill === undefined ? '' : typedDate(bill.payOn),
    dueOn: bill?.dueOn === undefined || bill.dueOn === null ? '' : typedDate(bill.dueOn),
    repeats: ONCE,
    endsOn: '',
    memo: bill?.memo ?? '',
  };
}

interface FillBillProps {
  state: FormState<BillValues>;
  choices: BillChoices;
  onClose: () => void;
  onReview: (plan: BillPlan) => void;
}

const REPEATS = [
  { value: ONCE, label: 'Once' },
  ...BILL_FREQUENCIES.map((value) => ({ value, label: BILL_FREQUENCY_LABELS[value] })),
];

/** "Harbor Fiber ••5502" */
function payeeLabel({ name, account, returned }: Payee): string {
  const words = `${name} ••${account?.last4 ?? ''}`;
  return returned === null ? words : `${words} (sent back by the bank)`;
}

/** The day on which it is really paid, and what a short month does. */
function payDayHint(
  { payOn, repeats }: FormState<BillValues>['fields'],
  today: string,
): string | undefined {
  const startsOn = parseTypedDate(payOn.value);
  const frequency = BILL_FREQUENCIES.find((known) => known === repeats.value);
  const short =
    startsOn === undefined || frequency === undefined
      ? null
      : shortMonthWords({ startsOn, frequency });
  const words = [movedDayWords(payOn.value, today), short].filter(Boolean);
  return words.length === 0 ? undefined : words.join(' ');
}

/** Whom, from where, how much and when. */
function FillBill({ state, choices, onClose, onReview }: FillBillProps) {
  const { form, fields, problems, attempt } = state;
  const { wallets, payees, today, changed } = choices;
  const wallet = wallets.find(({ id }) => id === fields.walletId.value);
  const payee = payees.find(({ id }) => id === fields.payeeId.value);
  const isRepeated = fields.repeats.value !== ONCE;
  const { onLeave, question } = useLeaveQuestion({ hasWork: form.formState.isDirty, onClose });

  return (
    <>
      <Dialog
        title={changed === undefined ? 'Pay a Bill' : 'Change Bill'}
        isOpen
        onClose={onLeave}
        onSubmit={() =>
          void form.handleSubmit((values) => {
            const plan = planBill(values, choices);
            if (plan !== null) onReview(plan);
          })()
        }
        actions={
          <>
            <Button onPress={onLeave}>Cancel</Button>
            <Button kind="money" type="submit">
              Review Bill
            </Button>
          </>
        }
      >
        <div className="form">
          <FormSummary title={billSummary(problems)} problems={problems} attempt={attempt} />
          <Select
            label="Payee"
            isRequired
            placeholder="Choose a payee"
            options={[
              ...payees.map((each) => ({ value: each.id, label: payeeLabel(each) })),
              { value: NEW_PAYEE, label: 'New payee' },
            ]}
            {...fields.payeeId}
          />
          {payee !== undefined && payee.returned !== null && <ReturnedPayeeNotice payee={payee} />}
          {fields.payeeId.value === NEW_PAYEE && (
            <div className="new-payee">
              <PayeeFields fields={fields} />
              <Checkbox
                label="Save this payee"
                name={fields.isSaved.name}
                error={fields.isSaved.error}
                isChecked={fields.isSaved.value}
                onBlur={fields.isSaved.onBlur}
                onChange={fields.isSaved.onChange}
              />
            </div>
          )}
          <ShownAmounts>
            <WalletField label="From Account" isRequired wallets={wallets} {...fields.walletId} />
            {wallet !== undefined && (
              <MoneyField
                label="Amount"
                isRequired
                currency={wallet.available.currency}
                aside={
                  <span className="muted num">
                    Available <Money amount={availableFor(wallet, changed)} />
                  </span>
                }
                {...fields.amount}
              />
            )}
          </ShownAmounts>
          {changed === undefined && <Select label="Repeat" options={REPEATS} {...fields.repeats} />}
          <div className="form__row">
            <DateField
              label={isRepeated ? 'First on' : 'Pay on'}
              isRequired
              min={today}
              hint={payDayHint(fields, today)}
              {...fields.payOn}
            />
            {isRepeated ? (
              <DateField label="Last day" optional min={today} {...fields.endsOn} />
            ) : (
              <DateField
                label="Due date"
                optional
                min={today}
                hint={lateHint(
                  {
                    payOn: fields.payOn.value,
                    dueOn: fields.dueOn.value,
                    repeats: fields.repeats.value,
                  },
                  today,
                )}
                {...fields.dueOn}
              />
            )}
          </div>
          <CompanyDays />
          <TextField
            label="Memo"
            optional
            hint="The payee sees it with the payment."
            {...fields.memo}
          />
        </div>
      </Dialog>
      {question}
    </>
  );
}
