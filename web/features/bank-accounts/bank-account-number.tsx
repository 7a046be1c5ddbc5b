import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { bankLabel } from './bank-label.ts';
import './bank-accounts.css';

async function fetchNumber(id: string): Promise<string> {
  const { accountNumber } = await call('revealBankAccount', { params: { id } });
  return accountNumber;
}

/** The masked account number. It is fetched only to be shown or copied, and forgotten when hidden. */
export function BankAccountNumber({ account }: { account: BankAccount }) {
  const name = bankLabel(account);
  const reveal = useMutation({
    mutationFn: () => fetchNumber(account.id),
    onError: (error) =>
      toast({ title: errorMessage(error, 'Please try again.'), tone: 'critical' }),
  });
  const isShown = reveal.data !== undefined;
  return (
    <span className="bank__number">
      {reveal.data ?? `•••• ${account.accountNumberLast4}`}
      <IconButton
        icon={isShown ? EyeOff : Eye}
        isSmall
        label={isShown ? `Hide account number of ${name}` : `Show account number of ${name}`}
        isPending={reveal.isPending}
        onPress={() => (isShown ? reveal.reset() : reveal.mutate())}
      />
      <CopyValue value={() => fetchNumber(account.id)} label={`Copy account number of ${name}`} />
    </span>
  );
}
