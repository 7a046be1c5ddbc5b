import { useQueryClient } from '@tanstack/react-query';
import type { AdminDeposit } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
import { ApiError } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { toast } from '#web/ui/toast-queue.ts';

export type DepositDecision = 'approve' | 'reject';

interface DepositDecisionProps {
  decision: DepositDecision;
  deposit: AdminDeposit;
  onClose: () => void;
}

/** Asks before a deposit is approved, and for the reason before one is rejected. */
export function DepositDecisionDialog({ decision, ...rest }: DepositDecisionProps) {
  return decision === 'approve' ? <ApproveDialog {...rest} /> : <RejectDialog {...rest} />;
}

type DialogProps = Omit<DepositDecisionProps, 'decision'>;

function ApproveDialog({ deposit, onClose }: DialogProps) {
  const approve = useMoneyMutation('adminApproveDeposit', useDecided('Deposit Approved', onClose));
  return (
    <ConfirmDialog
      isOpen
      title="Approve this deposit?"
      kind="money"
      keepLabel="Not now"
      confirmLabel="Approve"
      isPending={approve.isPending}
      pendingLabel="Approving"
      onClose={onClose}
      onConfirm={() => approve.mutate({ params: { id: deposit.id } })}
    >
      <p>
        <Movement deposit={deposit} /> It reaches the wallet at once.
      </p>
    </ConfirmDialog>
  );
}

function RejectDialog({ deposit, onClose }: DialogProps) {
  const reject = useMoneyMutation('adminRejectDeposit', useDecided('Deposit Rejected', onClose));
  return (
    <ReasonDialog
      title="Reject deposit"
      keepLabel="Keep Request"
      confirmLabel="Reject"
      emptyHint="Enter a reason to reject."
      maxLength={REASON_MAX_LENGTH}
      isPending={reject.isPending}
      pendingLabel="Rejecting"
      onClose={onClose}
      onConfirm={(reason) => reject.mutate({ params: { id: deposit.id }, body: { reason } })}
    >
      <Movement deposit={deposit} /> Nothing is added to the wallet.
    </ReasonDialog>
  );
}

/** "$850.00 by ACH transfer to Salary Wallet of Amara Diallo." */
function Movement({
  deposit: { amount, methodName, walletName, employee },
}: {
  deposit: AdminDeposit;
}) {
  return (
    <>
      <Money amount={amount} /> by {methodName} to {walletName} of{' '}
      <span className="strong">{employee.name}</span>.
    </>
  );
}

/** Tells the result and asks for the list again; after a refusal too, somebody may have been faster. */
function useDecided(done: string, onClose: () => void) {
  const queryClient = useQueryClient();
  return {
    onSuccess: ({ amount, employee }: AdminDeposit) => {
      markStale(queryClient, 'deposits');
      toast({
        title: done,
        message: `${formatMoney(amount)} of ${employee.name}.`,
        tone: 'positive',
      });
      onClose();
    },
    onError: (error: Error) => {
      markStale(queryClient, 'deposits');
      toast({
        title: 'Action Failed',
        message: errorMessage(error, 'The deposit was not changed.'),
        tone: 'critical',
      });
      if (error instanceof ApiError) onClose();
    },
  };
}
