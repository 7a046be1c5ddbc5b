import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BankAccount, RouteInput } from '#contract/api.ts';
import { ApiError, call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { digitsOf, type BankAccountValues } from './check-bank-account.ts';

interface Handlers {
  onSaved: (account: BankAccount) => void;
  /** Refused; the caller shows what is about a field. Returns whether it has. */
  onRefused: (error: unknown) => boolean;
}

/** Adds a bank account, or changes the one with the given id. Failures that no field explains are told here. */
export function useSaveBankAccount(id: string | undefined, { onSaved, onRefused }: Handlers) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: BankAccountValues) =>
      id === undefined
        ? call('addBankAccount', { body: bodyOf(values) })
        : call('updateBankAccount', { params: { id }, body: changeOf(values) }),
    onSuccess: (account) => {
      onSaved(account);
      markStale(queryClient, 'bank-accounts');
    },
    onError: (error) => {
      if (onRefused(error)) return;
      toast({
        title:
          id === undefined
            ? 'Failed to add bank account. Please try again.'
            : 'Failed to update bank account',
        message: error instanceof ApiError ? error.message : undefined,
        tone: 'critical',
      });
    },
  });
}

type NewBankAccount = RouteInput<'addBankAccount'>['body'];
type BankAccountChange = RouteInput<'updateBankAccount'>['body'];

function bodyOf({ accountType, ...values }: BankAccountValues): NewBankAccount {
  if (accountType === '') throw new Error('Saved a bank account without a type');
  return { ...values, accountType };
}

/** Without a new account number the old one stays. */
function changeOf(values: BankAccountValues): BankAccountChange {
  const { accountNumber, ...others } = bodyOf(values);
  return digitsOf(accountNumber) === '' ? others : { ...others, accountNumber };
}
