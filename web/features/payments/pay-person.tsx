import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PersonPayment, Recipient, Wallet } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { useFormState, type FormState } from '#web/kit/form-state.ts';
import { WalletField } from '#web/kit/wallet-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Money } from '#web/ui/money.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import {
  checkPersonPayment,
  emailProblem,
  isFound,
  personPaymentSummary,
  planPersonPayment,
  type PersonPaymentPlan,
  type PersonPaymentValues,
} from './check-person-payment.ts';
import { PersonPaymentReceipt } from './person-payment-receipt.tsx';
import { PersonPaymentReview } from './person-payment-review.tsx';
import { RecipientField } from './recipient-field.tsx';
import { usePayPerson } from './use-pay-person.ts';

interface PayPersonProps {
  /** Of the payer. */
  userId: string;
  /** At least one. */
  wallets: readonly Wallet[];
  /** Values to begin with, of a saved payee or an earlier payment. An address is looked up immediately. */
  begin?: Partial<PersonPaymentValues> | undefined;
  onClose: () => void;
}

type Step =
  | { kind: 'fill' }
  | { kind: 'review'; plan: PersonPaymentPlan }
  | { kind: 'receipt'; payment: PersonPayment };

/** Fill, review, receipt: the three steps of a payment to a person. Shown while it is mounted. */
export function PayPerson({ userId, wallets, begin, onClose }: PayPersonProps) {
  const [step, setStep] = useState<Step>({ kind: 'fill' });
  const [found, setFound] = useState<Recipient>();
  const state = useFormState<PersonPaymentValues>({
    initial: {
      ...{ email: '', walletId: wallets[0]?.id ?? '', amount: '', note: '', savePayee: true },
      ...begin,
    },
    check: (values) => checkPersonPayment(values, { wallets, recipient: found }),
  });
  const { isSending, isUnknown, send } = usePayPerson({
    userId,
    onPaid: (payment) => setStep({ kind: 'receipt', payment }),
    onRefused: (problem) => {
      setStep({ kind: 'fill' });
      if (problem === undefined) return;
      if (problem.field === 'email') setFound(undefined);
      state.form.setError(problem.field, { type: 'server', message: problem.message });
    },
  });
  if (step.kind === 'receipt') {
    return <PersonPaymentReceipt payment={step.payment} onClose={onClose} />;
  }
  if (step.kind === 'review') {
    return (
      <PersonPaymentReview
        plan={step.plan}
        isSending={isSending}
        isUnknown={isUnknown(step.plan)}
        onBack={() => setStep({ kind: 'fill' })}
        onConfirm={() => send(step.plan)}
      />
    );
  }
  return (
    <FillPayment
      state={state}
      wallets={wallets}
      found={found}
      onFound={setFound}
      onClose={onClose}
      onReview={(plan) => setStep({ kind: 'review', plan })}
    />
  );
}

interface FillPaymentProps {
  state: FormState<PersonPaymentValues>;
  wallets: readonly Wallet[];
  found: Recipient | undefined;
  onFound: (recipient: Recipient | undefined) => void;
  onClose: () => void;
  onReview: (plan: PersonPaymentPlan) => void;
}

/** Whom, from where, how much. Enter and the button find the person first. */
function FillPayment(props: FillPaymentProps) {
  const { state, wallets, found, onFound, onClose, onReview } = props;
  const { form, fields, problems, attempt } = state;
  const typed = fields.email.value;
  const recipient = isFound(found, typed) ? found : undefined;
  const wallet = wallets.find(({ id }) => id === fields.walletId.value);
  const search = useMutation({
    mutationFn: (email: string) => call('findRecipient', { body: { email } }),
    onSuccess: onFound,
    onError: (error) => {
      onFound(undefined);
      form.setError('email', { type: 'server', message: errorMessage(error, 'Please try again.') });
    },
  });

  function find(): void {
    if (search.isPending) return;
    const problem = emailProblem(typed);
    if (problem !== undefined) form.setError('email', { type: 'check', message: problem });
    else search.mutate(emailRule.clean(typed));
  }
  // A saved payee was named before; whether they can be paid now is found out first.
  const findOnce = useRef(typed === '' || recipient !== undefined ? undefined : find);
  useEffect(() => {
    findOnce.current?.();
    findOnce.current = undefined;
  }, []);

  function submit(): void {
    if (recipient === undefined && emailProblem(typed) === undefined) return find();
    void form.handleSubmit((values) => {
      const plan = planPersonPayment(values, { wallets, recipient });
      if (plan !== null) onReview(plan);
    })();
  }

  const { onLeave, question } = useLeaveQuestion({ hasWork: form.formState.isDirty, onClose });

  return (
    <>
      <Dialog
        title="Pay a Person"
        isOpen
        onClose={onLeave}
        onSubmit={submit}
        actions={
          <>
            <Button onPress={onLeave}>Cancel</Button>
            <Button kind="money" type="submit">
              Review Payment
            </Button>
          </>
        }
      >
        <div className="form">
          <FormSummary
            title={personPaymentSummary(problems)}
            problems={problems}
            attempt={attempt}
          />
          <RecipientField
            field={fields.email}
            recipient={recipient}
            isSearching={search.isPending}
            onFind={find}
          />
          <ShownAmounts>
            <WalletField label="From Account" isRequired wallets={wallets} {...fields.walletId} />
            {wallet !== undefined && (
              <MoneyField
                label="Amount"
                isRequired
                currency={wallet.available.currency}
                aside={
                  <span className="muted num">
                    Available <Money amount={wallet.available} />
                  </span>
                }
                {...fields.amount}
              />
            )}
          </ShownAmounts>
          <TextField
            label="Note"
            optional
            hint={`${recipient?.name ?? 'The recipient'} sees this note.`}
            {...fields.note}
          />
          {recipient !== undefined && (
            <Checkbox
              label={`Save ${recipient.name} as a payee`}
              name={fields.savePayee.name}
              error={fields.savePayee.error}
              isChecked={fields.savePayee.value}
              onBlur={fields.savePayee.onBlur}
              onChange={fields.savePayee.onChange}
            />
          )}
        </div>
      </Dialog>
      {question}
    </>
  );
}
