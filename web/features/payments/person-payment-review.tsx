import { formatMoney } from '#contract/money.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import type { PersonPaymentPlan } from './check-person-payment.ts';
import './payments.css';

interface PersonPaymentReviewProps {
  plan: PersonPaymentPlan;
  isSending: boolean;
  /** This very payment was sent and has no answer. */
  isUnknown: boolean;
  onBack: () => void;
  onConfirm: () => void;
}

/** The payment in full, before anything moves. Shown while it is mounted. */
export function PersonPaymentReview(props: PersonPaymentReviewProps) {
  const { plan, isSending, isUnknown, onBack, onConfirm } = props;
  const { recipient, wallet, amount, note } = plan;
  return (
    <Dialog
      title="Review payment"
      isOpen
      onClose={onBack}
      actions={
        <>
          <Button onPress={onBack}>Back</Button>
          <Button kind="money" isPending={isSending} pendingLabel="Sending" onPress={onConfirm}>
            {`Pay ${recipient.name} ${formatMoney(amount)}`}
          </Button>
        </>
      }
    >
      <div className="payment">
        <ShownAmounts>
          <AmountHead line="You pay" amount={{ ...amount, minor: `-${amount.minor}` }} />
        </ShownAmounts>
        <div className="recipient recipient--plain">
          <Avatar name={recipient.name} />
          <div>
            <p className="strong">{recipient.name}</p>
            <p className="meta">{recipient.email}</p>
          </div>
        </div>
        <Facts
          isTight
          facts={[
            { label: 'From', value: walletLabel(wallet) },
            { label: 'Arrives', value: 'At once' },
            { label: 'Fee', value: 'None' },
            ...(note === '' ? [] : [{ label: 'Note', value: <span dir="auto">{note}</span> }]),
            { label: 'Available after', value: <Money amount={plan.availableAfter} /> },
          ]}
        />
        <OutcomeNotice
          isSending={isSending}
          isUnknown={isUnknown}
          what="your payment"
          where="under Recent payments"
        />
        <Notice tone="caution">
          A payment to a person cannot be undone. Check the name first.
        </Notice>
      </div>
    </Dialog>
  );
}
