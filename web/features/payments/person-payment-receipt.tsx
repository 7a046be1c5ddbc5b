import type { PersonPayment } from '#contract/api.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { Status } from '#web/ui/status.tsx';
import './payments.css';

interface PersonPaymentReceiptProps {
  payment: PersonPayment;
  onClose: () => void;
}

/** What was paid, to keep. Shown while it is mounted. */
export function PersonPaymentReceipt({ payment, onClose }: PersonPaymentReceiptProps) {
  const { amount, walletName, recipient, reference, note, paidAt, available, documentId } = payment;
  return (
    <Dialog
      title="Payment Sent"
      isOpen
      onClose={onClose}
      actions={
        <>
          <LinkButton href={`/employee/documents/${encodeURIComponent(documentId)}`}>
            Open receipt
          </LinkButton>
          <PrintReceipt />
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="payment receipt">
        <ShownAmounts>
          <AmountHead
            line={`${walletName} to ${recipient.name}`}
            amount={{ ...amount, minor: `-${amount.minor}` }}
            status={<Status status="completed" />}
          />
        </ShownAmounts>
        <DatedRail
          label="Payment progress"
          steps={[
            { state: 'done', what: 'Sent', who: `From ${walletName}`, at: paidAt },
            {
              state: 'arrived',
              what: 'Arrived',
              who: `In the Salary Wallet of ${recipient.name}`,
              at: paidAt,
            },
          ]}
        />
        <Facts
          isTight
          facts={[
            { label: 'Reference', value: reference },
            ...(note === '' ? [] : [{ label: 'Note', value: <span dir="auto">{note}</span> }]),
            { label: 'Available', value: <Money amount={available} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
