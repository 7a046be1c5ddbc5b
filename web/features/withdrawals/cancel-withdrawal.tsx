import type { Withdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';

interface CancelWithdrawalProps {
  withdrawal: Withdrawal;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
export function CancelWithdrawal({ withdrawal, onClose }: CancelWithdrawalProps) {
  const { id, bankName, bankLast4, walletName } = withdrawal;
  const amount = formatMoney(withdrawal.amount);
  return (
    <ConfirmAction
      title="Cancel this withdrawal?"
      keep="Keep Request"
      confirm="Cancel Request"
      pending="Cancelling"
      send={(_, options) => call('cancelWithdrawal', { params: { id } }, options)}
      topics={['withdrawals', 'wallets']}
      done={{
        title: 'Withdrawal Cancelled',
        message: `${amount} was not sent and your balance has been restored.`,
      }}
      failed="Unable to cancel this withdrawal request"
      sent={{ what: 'your cancellation', where: 'under Recent Withdrawals' }}
      onClose={onClose}
    >
      {amount} will not be sent to {bankName} ••{bankLast4}. It is available in your {walletName}{' '}
      again immediately.
    </ConfirmAction>
  );
}
