import type { Deposit } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';

interface CancelDepositProps {
  deposit: Deposit;
  onClose: () => void;
}

/** Asks, then takes the request back. Shown while it is mounted. */
export function CancelDeposit({ deposit, onClose }: CancelDepositProps) {
  const { id, amount, reference, walletName } = deposit;
  return (
    <ConfirmAction
      title="Cancel this deposit?"
      keep="Keep Request"
      confirm="Cancel Request"
      pending="Cancelling"
      send={(_, options) => call('cancelDeposit', { params: { id } }, options)}
      topics={['deposits']}
      done={{
        title: 'Deposit Cancelled',
        message: `${reference} was cancelled. Nothing was added to your wallet.`,
      }}
      failed="Unable to cancel this deposit request"
      sent={{ what: 'your cancellation', where: 'in your deposits' }}
      onClose={onClose}
    >
      {formatMoney(amount)} will not be added to your {walletName}. If you have sent the money
      already, keep the request: {reference} is how it is found.
    </ConfirmAction>
  );
}
