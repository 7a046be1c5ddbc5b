import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Recipient, Wallet } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormState } from '#web/kit/form-state.ts';
import { useReviewedForm } from '#web/kit/reviewed-form.tsx';
import { Available, WalletField } from '#web/kit/wallet-field.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
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
import { PersonPaymentReceipt, PersonPaymentReview } from './person-payment-steps.tsx';
import { RecipientField } from './recipient-field.tsx';

interface PayPersonProps {
  /** ID of the payer. */
  userId: string;
  /** At least one. */
  wallets: readonly Wallet[];
  /** Values to begin with, of a saved payee or an earlier payment. An address is looked up immediately. */
  begin?: Partial<PersonPaymentValues> | undefined;
  /** Reason why nothing can be paid now. */
  why: string | undefined;
  /** Reason why no payee can be saved now. */
  cannotSave: string | null;
  onClose: () => void;
}

/** Fill, review, receipt: the three steps of a payment to a person. Shown while it is mounted. */
export function PayPerson({ userId, wallets, begin, onClose, ...reasons }: PayPersonProps) {
  const { why, cannotSave } = reasons;
  const [found, setFound] = useState<Recipient>();
  const state = useFormState<PersonPaymentValues>({
    initial: {
      email: '',
      walletId: wallets[0]?.id ?? '',
      amount: '',
      note: '',
      savePayee: true,
      ...begin,
    },
    check: (values) => checkPersonPayment(values, { wallets, recipient: found }),
  });
  const { step, onReview, reviewOf } = useReviewedForm(state, {
    inputOf: ({ recipient, wallet, amount, note, savePayee }: PersonPaymentPlan) => ({
      body: { walletId: wallet.id, recipientId: recipient.id, amount, note, savePayee },
    }),
    send: (input, options) => call('payPerson', input, options),
    keptAs: `person-payment.${userId}`,
    topics: ['payments', 'wallets'],
    places: {
      amount_invalid: 'amount',
      insufficient_funds: 'amount',
      payment_limit: 'amount',
      payment_daily_limit: 'amount',
      recipient_not_found: 'email',
      own_payment: 'email',
      wallet_not_found: 'walletId',
      payee_limit: 'savePayee',
    },
    onPlaced: (field) => {
      if (field === 'email') setFound(undefined);
    },
    failed: 'The payment could not be sent. Please try again.',
  });
  if (step.kind === 'done') return <PersonPaymentReceipt payment={step.reply} onClose={onClose} />;
  if (step.kind === 'review') {
    return <PersonPaymentReview plan={step.plan} review={reviewOf(step.plan)} why={why} />;
  }
  return (
    <FillPayment
      state={state}
      why={why}
      cannotSave={cannotSave}
      wallets={wallets}
      found={found}
      onFound={setFound}
      onClose={onClose}
      onReview={onReview}
    />
  );
}

interface FillPaymentProps extends Pick<PayPersonProps, 'why' | 'cannotSave'> {
  state: FormState<PersonPaymentValues>;
  wallets: readonly Wallet[];
  found: Recipient | undefined;
  onFound: (recipient: Recipient | undefined) => void;
  onClose: () => void;
  onReview: (plan: PersonPaymentPlan) => void;
}

/** Recipient, account and amount. Enter and the button find the person first, and go on once nothing is missing. */
function FillPayment(props: FillPaymentProps) {
  const { state, why, cannotSave, wallets, found, onFound, onClose, onReview } = props;
  const { form, fields } = state;
  const typed = fields.email.value;
  const recipient = isFound(found, typed) ? found : undefined;
  const wallet = wallets.find(({ id }) => id === fields.walletId.value);
  /** Address whose owner is found to be reviewed. */
  const toReview = useRef<string>(undefined);
  const search = useMutation({
    mutationFn: (email: string) => call('findRecipient', { body: { email } }),
    onSuccess: (owner, email) => {
      if (!isTyped(email)) return;
      onFound(owner);
      if (toReview.current === email) reviewIfWhole(owner);
    },
    onError: (error, email) => {
      if (!isTyped(email)) return;
      onFound(undefined);
      form.setError('email', { type: 'server', message: errorMessage(error, 'Please try again.') });
    },
    onSettled: (_owner, _error, email) => {
      if (toReview.current === email) toReview.current = undefined;
    },
  });
  const isSearching = search.isPending && search.variables === emailRule.clean(typed);

  /** False once another address was typed: the answer about the one before comes too late. */
  function isTyped(email: string): boolean {
    return email === emailRule.clean(form.getValues('email'));
  }

  function find(): void {
    if (isSearching) return;
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

  function findToReview(): void {
    toReview.current = why === undefined ? emailRule.clean(typed) : undefined;
    find();
  }

  function review(values: PersonPaymentValues, to = recipient): void {
    // The limit may have been reached since the box was ticked, which is no longer there.
    const savePayee = values.savePayee && cannotSave === null;
    const plan = planPersonPayment({ ...values, savePayee }, { wallets, recipient: to });
    if (plan !== null) onReview(plan);
  }

  function reviewIfWhole(to: Recipient): void {
    const values = form.getValues();
    const problems = checkPersonPayment(values, { wallets, recipient: to });
    if (Object.values(problems).every((problem) => problem === undefined)) review(values, to);
  }

  return (
    <FormDialog
      title="Pay a Person"
      state={state}
      task={{ submit: review, isPending: false }}
      summary={personPaymentSummary(state.problems)}
      submit={{ label: 'Review Payment', pending: '', kind: 'money', why }}
      onSubmit={
        recipient === undefined && emailProblem(typed) === undefined ? findToReview : undefined
      }
      onClose={onClose}
    >
      {({ email, walletId, amount, note, savePayee }) => (
        <>
          <RecipientField
            field={email}
            recipient={recipient}
            isSearching={isSearching}
            onFind={find}
          />
          <ShownAmounts>
            <WalletField label="From Account" isRequired wallets={wallets} {...walletId} />
            {wallet !== undefined && (
              <MoneyField
                label="Amount"
                isRequired
                currency={wallet.available.currency}
                aside={<Available amount={wallet.available} />}
                {...amount}
              />
            )}
          </ShownAmounts>
          <TextField
            label="Note"
            optional
            hint={`${recipient?.name ?? 'The recipient'} sees this note.`}
            {...note}
          />
          {recipient !== undefined &&
            (cannotSave === null ? (
              <Checkbox
                label={`Save ${recipient.name} as a payee`}
                {...savePayee}
                isChecked={savePayee.value}
              />
            ) : (
              <p className="field__hint">{cannotSave}</p>
            ))}
        </>
      )}
    </FormDialog>
  );
}
