import { useQueryClient } from '@tanstack/react-query';
import type { Withdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast-queue.ts';

interface CancelWithdrawalProps {
  withdrawal: Withdrawal;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
export function CancelWithdrawal({ withdrawal, onClose }: CancelWithdrawalProps) {
  const queryClient = useQueryClient();
  const amount = formatMoney(withdrawal.amount);

  function showChange(): void {
    markStale(queryClient, 'withdrawals');
    markStale(queryClient, 'wallets');
  }

  const cancel = useMoneyMutation('cancelWithdrawal', {
    onSuccess: () => {
      showChange();
      toast({
        title: 'Withdrawal Cancelled',
        message: `${amount} was not sent and your balance has been restored.`,
        tone: 'positive',
      });
      onClose();
    },
    onError: (error) => {
      showChange();
      // The question stays and says so: pressing again repeats the same request.
      if (isOutcomeUnknown(error)) return;
      const refusal = 'Unable to cancel this withdrawal request';
      const detail = errorMessage(error, refusal);
      toast({ title: refusal, message: detail === refusal ? undefined : detail, tone: 'critical' });
      onClose();
    },
  });

  return (
    <ConfirmDialog
      title="Cancel this withdrawal?"
      isOpen
      onClose={onClose}
      onConfirm={() => cancel.mutate({ params: { id: withdrawal.id } })}
      keepLabel="Keep Request"
      confirmLabel="Cancel Request"
      isPending={cancel.isPending}
      pendingLabel="Cancelling"
    >
      <p>
        {amount} will not be sent to {withdrawal.bankName} ••{withdrawal.bankLast4}. It is available
        in your {withdrawal.walletName} again immediately.
      </p>
      <OutcomeNotice
        {...cancel.outcome}
        what="your cancellation"
        where="under Recent Withdrawals"
      />
    </ConfirmDialog>
  );
}
