import { useQueryClient } from '@tanstack/react-query';
import type { Deposit } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast-queue.ts';

interface CancelDepositProps {
  deposit: Deposit;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
export function CancelDeposit({ deposit, onClose }: CancelDepositProps) {
  const queryClient = useQueryClient();
  const cancel = useMoneyMutation('cancelDeposit', {
    onSuccess: () => {
      markStale(queryClient, 'deposits');
      toast({
        title: 'Deposit Cancelled',
        message: `${deposit.reference} was cancelled. Nothing was added to your wallet.`,
        tone: 'positive',
      });
      onClose();
    },
    onError: (error) => {
      markStale(queryClient, 'deposits');
      // The question stays and says so: pressing again repeats the same request.
      if (isOutcomeUnknown(error)) return;
      const refusal = 'Unable to cancel this deposit request';
      const detail = errorMessage(error, refusal);
      toast({ title: refusal, message: detail === refusal ? undefined : detail, tone: 'critical' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Cancel this deposit?"
      isOpen
      onClose={onClose}
      onConfirm={() => cancel.mutate({ params: { id: deposit.id } })}
      keepLabel="Keep Request"
      confirmLabel="Cancel Request"
      isPending={cancel.isPending}
      pendingLabel="Cancelling"
    >
      <p>
        {formatMoney(deposit.amount)} will not be added to your {deposit.walletName}. If you have
        sent the money already, keep the request: {deposit.reference} is how it is found.
      </p>
      <OutcomeNotice {...cancel.outcome} what="your cancellation" where="in your deposits" />
    </ConfirmDialog>
  );
}
