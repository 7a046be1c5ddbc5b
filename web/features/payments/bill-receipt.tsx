import type { Bill } from '#contract/api.ts';
import type { Money as MoneyValue } from '#contract/money.ts';
import { formatDay } from '#web/lib/format.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { Status } from '#web/ui/status.tsx';
import { billRail } from './bill-rail.ts';
import './payments.css';

interface BillReceiptProps {
  bill: Bill;
  /** What is left in the account it comes from. */
  available: MoneyValue;
  onClose: () => void;
}

/** What was scheduled, to keep. Shown while it is mounted. */
export function BillReceipt({ bill, available, onClose }: BillReceiptProps) {
  const { amount, walletName, payee, payOn } = bill;
  return (
    <Dialog
      title="Bill Scheduled"
      isOpen
      onClose={onClose}
      actions={
        <>
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
            line={`${walletName} to ${payee.name} ••${payee.last4}`}
            amount={{ ...amount, minor: `-${amount.minor}` }}
            status={<Status status="scheduled" label={`Held until ${formatDay(payOn, 'short')}`} />}
          />
          <DatedRail label="Bill progress" steps={billRail(bill, 'payer')} />
        </ShownAmounts>
        <Facts
          isTight
          facts={[
            { label: 'Reference', value: bill.reference },
            ...(payee.customerNumber === ''
              ? []
              : [{ label: 'Your number', value: payee.customerNumber }]),
            { label: 'Available', value: <Money amount={available} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
