import { useRef, type ReactNode } from 'react';
import type { BankAccount, Wallet } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { DEFAULT_URGENCY } from '#contract/withdrawals.ts';
import { call } from '#web/api/client.ts';
import { useReviewedForm } from '#web/kit/reviewed-form.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { WITHDRAWAL_PROBLEMS, verifiedBanks } from './check-withdrawal.ts';
import { forgetDraft } from './draft.ts';
import { WithdrawForm, useWithdrawalForm } from './withdraw-form.tsx';
import type { WithdrawalPlan } from './withdrawal-plan.ts';
import { WithdrawalReceipt, WithdrawalReview } from './withdrawal-steps.tsx';

interface WithdrawTaskProps {
  userId: string;
  wallets: readonly Wallet[];
  bankAccounts: readonly BankAccount[];
  /** The account asked for. */
  from: string | undefined;
  /** Reason why nothing can be withdrawn now. */
  why: string | undefined;
  onAddBank: () => void;
  /** Frame of the form, where it is not the screen itself: a dialog, which the other steps replace. */
  dialog?: { frame: (form: ReactNode) => ReactNode; onDone: () => void } | undefined;
}

/** Fill, review, receipt: the three steps of a withdrawal. */
export function WithdrawTask(props: WithdrawTaskProps) {
  const { userId, wallets, from, why, onAddBank, dialog } = props;
  const banks = verifiedBanks(props.bankAccounts);
  const isDialog = dialog !== undefined;
  const state = useWithdrawalForm({ userId, from, wallets, banks, isDialog });
  const { form } = state;
  const { step, onReview, onBack, reviewOf } = useReviewedForm(state, {
    inputOf: ({ wallet, bank, amount, urgency, reason }: WithdrawalPlan) => ({
      body: { walletId: wallet.id, bankAccountId: bank.id, amount, urgency, reason },
    }),
    send: (input, options) => call('requestWithdrawal', input, options),
    keptAs: `withdrawal.${userId}`,
    hasDraft: true,
    topics: ['withdrawals', 'wallets', 'bank-accounts'],
    places: {
      amount_invalid: { field: 'amount', message: WITHDRAWAL_PROBLEMS.amount },
      // In a dialog the server's sentence is shown, which names what is available.
      insufficient_funds: isDialog
        ? 'amount'
        : { field: 'amount', message: WITHDRAWAL_PROBLEMS.funds },
      bank_account_not_verified: { field: 'bankAccountId', message: WITHDRAWAL_PROBLEMS.bank },
    },
    onDone: ({ amount, bankName, bankLast4 }) => {
      toast({
        title: 'Withdrawal Submitted',
        message: `${formatMoney(amount)} to ${bankName} ••${bankLast4} is waiting for approval.`,
        tone: 'positive',
      });
      // A sent request must not wait in the form.
      form.reset({ ...form.getValues(), amount: '', reason: '', urgency: DEFAULT_URGENCY });
      forgetDraft(userId);
    },
    failed: 'Failed to submit withdrawal request. Please try again.',
  });
  const submitButton = useRef<HTMLButtonElement>(null);

  /** The result follows the review, which is gone: focus has to be sent back by hand. */
  function closeResult(): void {
    if (dialog !== undefined) return dialog.onDone();
    onBack();
    requestAnimationFrame(() => submitButton.current?.focus());
  }

  const fields = (
    <WithdrawForm
      state={state}
      wallets={wallets}
      banks={banks}
      submitRef={submitButton}
      why={why}
      onAddBank={onAddBank}
      onReview={onReview}
    />
  );

  return (
    <>
      {dialog === undefined ? fields : step.kind === 'fill' && dialog.frame(fields)}
      {step.kind === 'review' && <WithdrawalReview plan={step.plan} review={reviewOf(step.plan)} />}
      {step.kind === 'done' && (
        <WithdrawalReceipt
          withdrawal={step.reply}
          available={step.plan.availableAfter}
          onClose={closeResult}
        />
      )}
    </>
  );
}
