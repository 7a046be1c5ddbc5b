import { formatMoney } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { useCompany } from '#web/lib/company.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { Time } from '#web/ui/time.tsx';
import { urgencyWithDays } from './urgency.ts';
import { WithdrawalHead } from './withdrawal-head.tsx';
import { arrivalText, destinationLabel, type WithdrawalPlan } from './withdrawal-plan.ts';
import './withdraw.css';

interface ReviewDialogProps {
  plan: WithdrawalPlan;
  isSending: boolean;
  /** This very request was sent and has no answer. */
  isUnknown: boolean;
  onBack: () => void;
  onConfirm: () => void;
}

/** The withdrawal in full, before anything moves. Shown while it is mounted. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { plan, isSending, isUnknown, onBack, onConfirm } = props;
  const { wallet, bank, amount, urgency, reason } = plan;
  const { timeZone } = useCompany();
  const coolingOff = stillCoolingOff(bank);
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
            ...(coolingOff === null
              ? []
              : [{ label: 'Can be paid from', value: <Time at={coolingOff} as="dateTime" /> }]),
            { label: 'Reason', value: reason === '' ? DEFAULT_WITHDRAWAL_REASON : reason },
            { label: 'Available after', value: <Money amount={plan.availableAfter} /> },
          ]}
        />
        <OutcomeNotice
          isSending={isSending}
          isUnknown={isUnknown}
          what="your request"
          where="under Recent Withdrawals"
        />
        <p className="muted">Deducted from available now. You can cancel while it is pending.</p>
      </div>
    </Dialog>
  );
}
