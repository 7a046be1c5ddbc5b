import type { BankAccount } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { bankLabel } from './bank-label.ts';

interface RemoveBankAccountProps {
  account: BankAccount;
  onClose: () => void;
}

/** Asks, then removes the bank account. Shown while it is mounted. */
export function RemoveBankAccount({ account, onClose }: RemoveBankAccountProps) {
  return (
    <ConfirmAction
      {...questionTo('Delete', 'account', 'this bank account')}
      send={() => call('removeBankAccount', { params: { id: account.id } })}
      topics={['bank-accounts']}
      done={{
        title: 'Bank Account Removed',
        message: 'The bank account has been removed from your profile',
      }}
      failed="Failed to remove bank account"
      onClose={onClose}
    >
      {bankLabel(account)} can no longer receive withdrawals. To use it again, add it and have it
      verified again.
    </ConfirmAction>
  );
}
