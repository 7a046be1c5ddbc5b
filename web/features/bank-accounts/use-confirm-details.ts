import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { bankLabel } from './bank-label.ts';

/** Hands an account in again with the same details, so that it is verified again after a returned payout. */
export function useConfirmDetails(account: BankAccount) {
  const queryClient = useQueryClient();
  const { id, bankName, accountType, routingNumber, accountHolderName } = account;
  return useMutation({
    mutationFn: () =>
      call('updateBankAccount', {
        params: { id },
        body: { bankName, accountType, routingNumber, accountHolderName },
      }),
    onSuccess: (saved) =>
      toast({
        title: 'Bank Account Confirmed',
        message: `${bankLabel(saved)} is pending verification.`,
        tone: 'positive',
      }),
    onError: (error) =>
      toast({
        title: 'Bank account not confirmed',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
    onSettled: () => markStale(queryClient, 'bank-accounts'),
  });
}
