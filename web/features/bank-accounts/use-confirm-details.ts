import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { bankLabel } from './bank-label.ts';

/** Hands an account in again with the same details, so that it is verified again after a returned payout. */
export function useConfirmDetails(account: BankAccount) {
  const { id, bankName, accountType, routingNumber, accountHolderName } = account;
  return useAction({
    send: () =>
      call('updateBankAccount', {
        params: { id },
        body: { bankName, accountType, routingNumber, accountHolderName },
      }),
    topics: ['bank-accounts'],
    done: (saved) => ({
      title: 'Bank Account Confirmed',
      message: `${bankLabel(saved)} is pending verification.`,
    }),
    failed: 'Bank account not confirmed',
  });
}
