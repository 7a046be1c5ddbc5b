import { useQueryClient } from '@tanstack/react-query';
import type { PersonPayment } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { toast } from '#web/ui/toast-queue.ts';
import type { PersonPaymentPlan, PersonPaymentValues } from './check-person-payment.ts';

/** The field that can correct a refusal: something changed since the form was checked. */
const CORRECTABLE: Partial<Record<ErrorCode, keyof PersonPaymentValues>> = {
  amount_invalid: 'amount',
  insufficient_funds: 'amount',
  payment_limit: 'amount',
  payment_daily_limit: 'amount',
  recipient_not_found: 'email',
  own_payment: 'email',
  wallet_not_found: 'walletId',
  payee_limit: 'savePayee',
};

interface Handlers {
  /** Whose it is: what is not answered is kept in their name. */
  userId: string;
  onPaid: (payment: PersonPayment) => void;
  /** Refused for good; with the field that can correct it, if one can. */
  onRefused: (problem: { field: keyof PersonPaymentValues; message: string } | undefined) => void;
}

/** Pays the person. While the outcome is unknown neither handler runs: sending it again is safe. */
export function usePayPerson({ userId, onPaid, onRefused }: Handlers) {
  const queryClient = useQueryClient();

  function showChange(): void {
    for (const topic of ['payments', 'wallets'] as const) markStale(queryClient, topic);
  }

  const request = useMoneyMutation('payPerson', {
    keptAs: `person-payment.${userId}`,
    onSuccess: (payment) => {
      showChange();
      onPaid(payment);
    },
    onError: (error) => {
      showChange();
      if (!(error instanceof ApiError) || isOutcomeUnknown(error)) {
        toast({ title: 'The payment could not be sent. Please try again.', tone: 'critical' });
        return;
      }
      const field = CORRECTABLE[error.problem.code];
      if (field === undefined) toast({ title: error.message, tone: 'critical' });
      onRefused(field === undefined ? undefined : { field, message: error.message });
    },
  });

  return {
    isSending: request.isPending,
    /** This very payment was sent and has no answer: nobody knows whether it was made. */
    isUnknown: (plan: PersonPaymentPlan) => request.isUnanswered(inputOf(plan)),
    send: (plan: PersonPaymentPlan) => request.mutate(inputOf(plan)),
  };
}

/** The same plan always makes the same input, by which a request that was not answered is known again. */
function inputOf({ recipient, wallet, amount, note, savePayee }: PersonPaymentPlan) {
  const recipientId = recipient.id;
  return { body: { walletId: wallet.id, recipientId, amount, note, savePayee } };
}
