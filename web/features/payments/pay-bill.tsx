import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Bill, Payee, StandingBill, Wallet } from '#contract/api.ts';
import { BILL_FREQUENCIES, BILL_FREQUENCY_LABELS } from '#contract/bills.ts';
import { dayIn } from '#contract/calendar.ts';
import { decimalAmount } from '#contract/money.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { CompanyDays } from '#web/kit/company-days.tsx';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormState } from '#web/kit/form-state.ts';
import { useReviewedForm } from '#web/kit/reviewed-form.tsx';
import { useCompany } from '#web/lib/company.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate } from '#web/lib/typed-date.ts';
import { Available, WalletField } from '#web/kit/wallet-field.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { BillReceipt, BillReview, StandingBillReceipt } from './bill-steps.tsx';
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
  /** Reason why nothing can be paid now. */
  why: string | undefined;
  /** Reason why no payee can be saved now. */
  cannotSave: string | null;
  onClose: () => void;
}

/** Result: a bill, or one that is repeated. */
type Scheduled = { kind: 'bill'; bill: Bill } | { kind: 'standing'; standing: StandingBill };

/** Fill, review, receipt: the three steps of a bill. Shown while it is mounted. */
export function PayBill({ wallets, payees, begin, changed, onClose, ...reasons }: PayBillProps) {
  const { timeZone, currency } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const choices: BillChoices = {
    wallets,
    payees,
    today,
    currency,
    changed,
  };
  const state = useFormState<BillValues>({
    initial: { ...initialValues(choices), ...begin },
    check: (values) => checkBill(values, choices),
  });
  const schedule = useSchedule(changed);
  const { step, onReview, reviewOf } = useReviewedForm(state, {
    inputOf: orderOf,
    send: schedule,
    topics: ['payments', 'wallets'],
    places: {
      amount_invalid: 'amount',
      insufficient_funds: 'amount',
      bill_limit: 'amount',
      bill_daily_limit: 'amount',
      bill_day_invalid: 'payOn',
      standing_bill_end_invalid: 'endsOn',
      standing_bill_limit: 'repeats',
      payee_not_found: 'payeeId',
      payee_returned: 'payeeId',
      payee_limit: 'isSaved',
      wallet_not_found: 'walletId',
    },
    failed: 'The bill could not be scheduled. Please try again.',
  });
  if (step.kind === 'done') {
    const { reply, plan } = step;
    return reply.kind === 'bill' ? (
      <BillReceipt bill={reply.bill} available={plan.availableAfter} onClose={onClose} />
    ) : (
      <StandingBillReceipt standing={reply.standing} onClose={onClose} />
    );
  }
  if (step.kind === 'review') {
    return <BillReview plan={step.plan} review={reviewOf(step.plan)} why={reasons.why} />;
  }
  return <FillBill {...{ state, choices, onClose, onReview, ...reasons }} />;
}

/** Request made of a plan. */
function orderOf({ payee, wallet, amount, memo, payOn, dueOn, repeat }: BillPlan) {
  const to = 'id' in payee ? { id: payee.id } : { entered: payee };
  return { to, bill: { walletId: wallet.id, amount, memo }, payOn, dueOn, repeat };
}

/**
 * Schedules a bill, or changes one. A new payee is entered first, once: a retry schedules the bill to the
 * same.
 */
function useSchedule(changed: Bill | undefined) {
  const known = useRef<{ entered: string; id: string }>(undefined);

  async function payeeIdOf({ to }: ReturnType<typeof orderOf>): Promise<string> {
    if (to.entered === undefined) return to.id;
    const entered = JSON.stringify(to.entered);
    if (known.current?.entered === entered) return known.current.id;
    const { id } = await call('addPayee', { body: to.entered });
    known.current = { entered, id };
    return id;
  }

  return async (order: ReturnType<typeof orderOf>, options: CallOptions): Promise<Scheduled> => {
    const { payOn, dueOn, repeat } = order;
    const payeeId = await payeeIdOf(order);
    const common = { ...order.bill, payeeId };
    if (repeat !== null) {
      const body = { ...common, startsOn: payOn, ...repeat };
      const standing = await call('createStandingBill', { body }, options);
      return { kind: 'standing', standing };
    }
    const body = { ...common, payOn, dueOn };
    const bill =
      changed === undefined
        ? await call('scheduleBill', { body }, options)
        : await call('changeBill', { params: { id: changed.id }, body }, options);
    return { kind: 'bill', bill };
  };
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

interface FillBillProps extends Pick<PayBillProps, 'why' | 'cannotSave'> {
  state: FormState<BillValues>;
  choices: BillChoices;
  onClose: () => void;
  onReview: (plan: BillPlan) => void;
}

const ONLY_ONCE = { value: ONCE, label: 'Once' };
const REPEATS = [
  ONLY_ONCE,
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
  choices: BillChoices,
): string | undefined {
  const startsOn = parseTypedDate(payOn.value);
  const frequency = BILL_FREQUENCIES.find((known) => known === repeats.value);
  const short =
    startsOn === undefined || frequency === undefined
      ? null
      : shortMonthWords({ startsOn, frequency });
  const words = [movedDayWords(payOn.value, choices), short].filter(Boolean);
  return words.length === 0 ? undefined : words.join(' ');
}

/** Payee, account, amount and day. */
function FillBill({ state, choices, why, cannotSave, onClose, onReview }: FillBillProps) {
  const standing = useQuery(apiQuery('listStandingBills', {}));
  const cannotRepeat = standing.data?.cannotAdd ?? undefined;
  const { wallets, payees, today, changed } = choices;
  return (
    <FormDialog
      title={changed === undefined ? 'Pay a Bill' : 'Change Bill'}
      state={state}
      task={{
        submit: (values) => {
          // The limit may have been reached since the box was ticked, which is no longer there.
          const isSaved = values.isSaved && cannotSave === null;
          const plan = planBill({ ...values, isSaved }, choices);
          if (plan !== null) onReview(plan);
        },
        isPending: false,
      }}
      summary={billSummary(state.problems)}
      submit={{ label: 'Review Bill', pending: '', kind: 'money', why }}
      onClose={onClose}
    >
      {(fields) => {
        const wallet = wallets.find(({ id }) => id === fields.walletId.value);
        const payee = payees.find(({ id }) => id === fields.payeeId.value);
        const isRepeated = fields.repeats.value !== ONCE;
        return (
          <>
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
            {payee !== undefined && payee.returned !== null && (
              <ReturnedPayeeNotice payee={payee} />
            )}
            {fields.payeeId.value === NEW_PAYEE && (
              <div className="new-payee">
                <PayeeFields fields={fields} />
                {cannotSave === null ? (
                  <Checkbox
                    label="Save this payee"
                    {...fields.isSaved}
                    isChecked={fields.isSaved.value}
                  />
                ) : (
                  <p className="field__hint">{cannotSave}</p>
                )}
              </div>
            )}
            <ShownAmounts>
              <WalletField label="From Account" isRequired wallets={wallets} {...fields.walletId} />
              {wallet !== undefined && (
                <MoneyField
                  label="Amount"
                  isRequired
                  currency={wallet.available.currency}
                  aside={<Available amount={availableFor(wallet, changed)} />}
                  {...fields.amount}
                />
              )}
            </ShownAmounts>
            {changed === undefined && (
              <Select
                label="Repeat"
                options={cannotRepeat === undefined ? REPEATS : [ONLY_ONCE]}
                hint={cannotRepeat}
                {...fields.repeats}
              />
            )}
            <div className="form__row">
              <DateField
                label={isRepeated ? 'First on' : 'Pay on'}
                isRequired
                min={today}
                hint={payDayHint(fields, choices)}
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
                    choices,
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
          </>
        );
      }}
    </FormDialog>
  );
}
