import type { PersonPayment } from '#contract/api.ts';
import { formatMoney, negated } from '#contract/money.ts';
import { Receipt } from '#web/kit/receipt.tsx';
import { ReviewDialog, type Review } from '#web/kit/reviewed-form.tsx';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { factUnlessEmpty } from '#web/ui/facts.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import type { PersonPaymentPlan } from './check-person-payment.ts';
import './payments.css';

interface PersonPaymentReviewProps {
  plan: PersonPaymentPlan;
  review: Review;
  /** Reason why nothing can be paid now. */
  why: string | undefined;
}

/** The payment in full, before anything moves. Shown while it is mounted. */
export function PersonPaymentReview({ plan, review, why }: PersonPaymentReviewProps) {
  const { recipient, wallet, amount, note } = plan;
  return (
    <ReviewDialog
      title="Review payment"
      review={review}
      why={why}
      confirm={`Pay ${recipient.name} ${formatMoney(amount)}`}
      line="You pay"
      amount={negated(amount)}
      recipient={
        <div className="recipient recipient--plain">
          <Avatar name={recipient.name} />
          <div>
            <p className="strong">{recipient.name}</p>
            <p className="meta">{recipient.email}</p>
          </div>
        </div>
      }
      facts={[
        { label: 'From', value: walletLabel(wallet) },
        { label: 'Arrives', value: 'Immediately' },
        { label: 'Fee', value: 'None' },
        ...factUnlessEmpty('Note', note),
        { label: 'Available after', value: <Money amount={plan.availableAfter} /> },
      ]}
      sent={{ what: 'your payment', where: 'under Recent payments' }}
    >
      <Notice tone="caution">A payment to a person cannot be undone. Check the name first.</Notice>
    </ReviewDialog>
  );
}

interface PersonPaymentReceiptProps {
  payment: PersonPayment;
  onClose: () => void;
}

/** Receipt of a payment to a person. */
export function PersonPaymentReceipt({ payment, onClose }: PersonPaymentReceiptProps) {
  const { amount, walletName, recipient, reference, note, paidAt, available, documentId } = payment;
  return (
    <Receipt
      title="Payment Sent"
      line={`${walletName} to ${recipient.name}`}
      amount={negated(amount)}
      status={<Status status="completed" />}
      rail={{
        label: 'Payment progress',
        steps: [
          { state: 'done', what: 'Sent', who: `From ${walletName}`, at: paidAt },
          {
            state: 'arrived',
            what: 'Arrived',
            who: `In the Salary Wallet of ${recipient.name}`,
            at: paidAt,
          },
        ],
      }}
      facts={[
        { label: 'Reference', value: reference },
        ...factUnlessEmpty('Note', note),
        { label: 'Available', value: <Money amount={available} /> },
      ]}
      actions={
        <LinkButton href={`/employee/documents/${encodeURIComponent(documentId)}`}>
          Open receipt
        </LinkButton>
      }
      onClose={onClose}
    />
  );
}
