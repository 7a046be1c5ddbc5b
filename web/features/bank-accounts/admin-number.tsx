import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { accountWords } from '#contract/account-formats.ts';
import type { AdminBankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/**
 * An account number, masked until it is asked for. Each look is recorded on the server, and its
 * owner sees it; the number is forgotten when it is hidden again.
 */
export function AccountNumber({ account }: { account: AdminBankAccount }) {
  const [number, setNumber] = useState<string>();
  const reveal = useMutation({
    mutationFn: () => call('adminRevealBankAccount', { params: { id: account.id } }),
    onSuccess: ({ accountNumber }) => setNumber(accountNumber),
    onError: (error) => toastFailure('Account number not shown', error),
    gcTime: 0,
  });
  const isShown = number !== undefined;
  return (
    <span className="account-number">
      <span className="num" data-whole={isShown || undefined}>
        {number === undefined
          ? `•••• ${account.accountNumberLast4}`
          : accountWords(account).number.shown(number)}
      </span>
      <IconButton
        icon={isShown ? EyeOff : Eye}
        isSmall
        label={`${isShown ? 'Hide' : 'Show'} ${accountWords(account).number.name} of ${account.employee.name}`}
        isPending={reveal.isPending}
        onPress={() => (isShown ? setNumber(undefined) : reveal.mutate())}
      />
    </span>
  );
}
