import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { bankLabel } from './bank-label.ts';

interface RemoveBankAccountProps {
  account: BankAccount;
  onClose: () => void;
}

/** Asks, then removes the bank account. Shown while it is mounted. */
export function RemoveBankAccount({ account, onClose }: RemoveBankAccountProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('removeBankAccount', { params: { id: account.id } }),
    onSuccess: () => {
      toast({
        title: 'Bank Account Removed',
        message: 'The bank account has been removed from your profile',
        tone: 'positive',
      });
    },
    onError: (error) => {
      toast({
        title: 'Failed to remove bank account',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      });
    },
    onSettled: () => {
      markStale(queryClient, 'bank-accounts');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this bank account?"
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      keepLabel="Keep Account"
      confirmLabel="Delete Account"
      isPending={remove.isPending}
      pendingLabel="Deleting"
    >
      <p>
        {bankLabel(account)} can no longer receive withdrawals. To use it again, add it and have it
        verified again.
      </p>
    </ConfirmDialog>
  );
}
