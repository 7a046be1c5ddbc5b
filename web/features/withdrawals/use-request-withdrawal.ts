import { useQueryClient } from '@tanstack/react-query';
import type { Withdrawal } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { formatMoney } from '#contract/money.ts';
import { ApiError } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { toast } from '#web/ui/toast-queue.ts';
import {
  WITHDRAWAL_PROBLEMS,
  type WithdrawalPlace,
  type WithdrawalValues,
} from './check-withdrawal.ts';
import type { WithdrawalPlan } from './withdrawal-plan.ts';

interface FieldProblem {
  field: keyof WithdrawalValues;
  message: string;
}

/** What a field can correct; the balance or the bank account changed since the form was checked. */
const CORRECTABLE: Partial<Record<ErrorCode, FieldProblem>> = {
  amount_invalid: { field: 'amount', message: WITHDRAWAL_PROBLEMS.amount },
  insufficient_funds: { field: 'amount', message: WITHDRAWAL_PROBLEMS.funds },
  bank_account_not_verified: { field: 'bankAccountId', message: WITHDRAWAL_PROBLEMS.bank },
};

interface Handlers extends WithdrawalPlace {
  /** Whose it is: what is not answered is kept in their name, like what is typed. */
  userId: string;
  onSubmitted: (withdrawal: Withdrawal) => void;
  /** Refused for good; with the field that can correct it, if one can. */
  onRefused: (problem: FieldProblem | undefined) => void;
}

/** Asks for the money. While the outcome is unknown neither handler runs: asking again is safe. */
export function useRequestWithdrawal({ userId, isDialog, onSubmitted, onRefused }: Handlers) {
  const queryClient = useQueryClient();

  function showChange(): void {
    for (const topic of ['withdrawals', 'wallets', 'bank-accounts'] as const) {
      markStale(queryClient, topic);
    }
  }

  const request = useMoneyMutation('requestWithdrawal', {
    keptAs: `withdrawal.${userId}`,
    onSuccess: (withdrawal) => {
      showChange();
      const { amount, bankName, bankLast4 } = withdrawal;
      toast({
        title: 'Withdrawal Submitted',
        message: `${formatMoney(amount)} to ${bankName} ••${bankLast4} is waiting for approval.`,
        tone: 'positive',
      });
      onSubmitted(withdrawal);
    },
    onError: (error) => {
      showChange();
      const isRefusal = error instanceof ApiError && !isOutcomeUnknown(error);
      const problem = isRefusal ? CORRECTABLE[error.problem.code] : undefined;
      if (problem === undefined) {
        toast({
          title: isRefusal
            ? error.message
            : 'Failed to submit withdrawal request. Please try again.',
          tone: 'critical',
        });
      }
      if (!isRefusal) return;
      // In a dialog the server's sentence is shown, which names what is available.
      const isLonger = isDialog && error.problem.code === 'insufficient_funds';
      onRefused(problem && isLonger ? { ...problem, message: error.message } : problem);
    },
  });

  return {
    isSending: request.isPending,
    /** This very request was sent and has no answer: nobody knows whether it arrived. */
    isUnknown: (plan: WithdrawalPlan) => request.isUnanswered(inputOf(plan)),
    send: (plan: WithdrawalPlan) => request.mutate(inputOf(plan)),
  };
}

/** The same plan always makes the same input, by which a request that was not answered is known again. */
function inputOf({ wallet, bank, amount, urgency, reason }: WithdrawalPlan) {
  return { body: { walletId: wallet.id, bankAccountId: bank.id, amount, urgency, reason } };
}
