import { formatMoney } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { useIsSlow } from '#web/lib/use-is-slow.ts';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { urgencyWithDays } from './urgency.ts';
import { WithdrawalHead } from './withdrawal-head.tsx';
import {
  arrivalText,
  destinationLabel,
  walletLabel,
  type WithdrawalPlan,
} from './withdrawal-plan.ts';
import './withdraw.css';

interface ReviewDialogProps {
  plan: WithdrawalPlan;
  isSending: boolean;
  /** The last attempt has no answer. */
  isUnknown: boolean;
  onBack: () => void;
  onConfirm: () => void;
}

/** The withdrawal in full, before anything moves. Shown while it is mounted. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { plan, isSending, isUnknown, onBack, onConfirm } = props;
  const { wallet, bank, amount, urgency, reason } = plan;
  const { timeZone } = useCompany();
  const isSlow = useIsSlow(isSending);
  return (
    <Dialog
      title="Review withdrawal"
      isOpen
      onClose={onBack}
      actions={
        <>
          <Button onPress={onBack}>Back</Button>
          <Button kind="money" isPending={isSending} pendingLabel="Sending" onPress={onConfirm}>
            {`Withdraw ${formatMoney(amount)}`}
          </Button>
        </>
      }
    >
      <div className="withdrawal">
        <ShownAmounts>
          <WithdrawalHead line="You withdraw" amount={amount} />
        </ShownAmounts>
        <Facts
          isTight
          facts={[
            { label: 'From', value: walletLabel(wallet) },
            { label: 'To', value: destinationLabel(bank) },
            { label: 'Urgency', value: urgencyWithDays(urgency) },
            { label: 'Expected', value: arrivalText(urgency, timeZone) },
            { label: 'Reason', value: reason === '' ? DEFAULT_WITHDRAWAL_REASON : reason },
            { label: 'Available after', value: <Money amount={plan.availableAfter} /> },
          ]}
        />
        {isSlow && (
          <Notice tone="caution" role="status">
            <p className="strong">This takes longer than usual.</p>
            <p>You may go back. If your request arrived, it shows under Recent Withdrawals.</p>
          </Notice>
        )}
        {isUnknown && !isSending && (
          <Notice tone="caution" role="status">
            <p className="strong">It is not known whether your request arrived.</p>
            <p>
              Withdraw again here once you are connected: the same request is sent, and it cannot be
              made twice. Or go back and look at Recent Withdrawals before you ask again.
            </p>
          </Notice>
        )}
        <p className="muted">Deducted from available now. You can cancel while it is pending.</p>
      </div>
    </Dialog>
  );
}
