import { useRef, useState, type ReactNode } from 'react';
import type { BankAccount, Wallet, Withdrawal } from '#contract/api.ts';
import type { Money } from '#contract/money.ts';
import { DEFAULT_URGENCY } from '#contract/withdrawals.ts';
import { verifiedBanks } from './check-withdrawal.ts';
import { forgetDraft } from './draft.ts';
import { ResultDialog } from './result-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { useRequestWithdrawal } from './use-request-withdrawal.ts';
import { WithdrawForm, useWithdrawalForm } from './withdraw-form.tsx';
import type { WithdrawalPlan } from './withdrawal-plan.ts';

interface WithdrawTaskProps {
  userId: string;
  wallets: readonly Wallet[];
  bankAccounts: readonly BankAccount[];
  /** The account asked for. */
  from: string | undefined;
  /** Reason why nothing can be withdrawn now. */
  why: string | undefined;
  onAddBank: () => void;
  /** What the form stands in, where it is not the screen itself: a dialog, which the other steps replace. */
  dialog?: { frame: (form: ReactNode) => ReactNode; onDone: () => void } | undefined;
}

type Step =
  | { kind: 'fill' }
  | { kind: 'review'; plan: WithdrawalPlan }
  | { kind: 'result'; withdrawal: Withdrawal; available: Money };

/** Fill, review, result: the three steps of a withdrawal. */
export function WithdrawTask(props: WithdrawTaskProps) {
  const { userId, wallets, from, why, onAddBank, dialog } = props;
  const banks = verifiedBanks(props.bankAccounts);
  const isDialog = dialog !== undefined;
  const form = useWithdrawalForm({ userId, from, wallets, banks, isDialog });
  const [step, setStep] = useState<Step>({ kind: 'fill' });
  const { isSending, isUnknown, send } = useRequestWithdrawal({
    ...{ userId, isDialog },
    onSubmitted: (withdrawal) => {
      // Also for a user who went back in between: a sent request must not wait in the form.
      form.reset({ ...form.getValues(), amount: '', reason: '', urgency: DEFAULT_URGENCY });
      forgetDraft(userId);
      if (step.kind !== 'review') return;
      setStep({ kind: 'result', withdrawal, available: step.plan.availableAfter });
    },
    onRefused: (problem) => {
      setStep({ kind: 'fill' });
      if (problem !== undefined) {
        form.setError(problem.field, { type: 'server', message: problem.message });
      }
    },
  });
  const submitButton = useRef<HTMLButtonElement>(null);
  const backToForm = () => setStep({ kind: 'fill' });

  /** The result follows the review, which is gone: focus has to be sent back by hand. */
  function closeResult(): void {
    if (dialog !== undefined) return dialog.onDone();
    backToForm();
    requestAnimationFrame(() => submitButton.current?.focus());
  }

  const fields = (
    <WithdrawForm
      form={form}
      wallets={wallets}
      banks={banks}
      submitRef={submitButton}
      why={why}
      onAddBank={onAddBank}
      onReview={(plan) => setStep({ kind: 'review', plan })}
    />
  );

  return (
    <>
      {dialog === undefined ? fields : step.kind === 'fill' && dialog.frame(fields)}
      {step.kind === 'review' && (
        <ReviewDialog
          plan={step.plan}
          isSending={isSending}
          isUnknown={isUnknown(step.plan)}
          onBack={backToForm}
          onConfirm={() => send(step.plan)}
        />
      )}
      {step.kind === 'result' && (
        <ResultDialog
          withdrawal={step.withdrawal}
          available={step.available}
          onClose={closeResult}
        />
      )}
    </>
  );
}
