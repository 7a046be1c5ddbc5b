import type { Withdrawal } from '#contract/api.ts';
import type { Money as MoneyValue } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { WithdrawalHead } from './withdrawal-head.tsx';
import { withdrawalRail } from './withdrawal-rail.ts';
import './withdraw.css';

interface ResultDialogProps {
  withdrawal: Withdrawal;
  /** What is left in the account it came from. */
  available: MoneyValue;
  onClose: () => void;
}

/** What was asked for, to keep: its reference, what happens next and when. Shown while it is mounted. */
export function ResultDialog({ withdrawal, available, onClose }: ResultDialogProps) {
  return (
    <Dialog
      title="Withdrawal Submitted"
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
      <div className="withdrawal receipt">
        <ShownAmounts>
          <WithdrawalHead
            line={`${withdrawal.walletName} to ${withdrawal.bankName} ••${withdrawal.bankLast4}`}
            amount={withdrawal.amount}
            status={withdrawal.status}
          />
        </ShownAmounts>
        <DatedRail label="Withdrawal progress" steps={withdrawalRail(withdrawal)} />
        <div className="withdrawal__facts">
          <Facts
            isTight
            facts={[
              { label: 'Request ID', value: withdrawal.reference },
              { label: 'Available', value: <Money amount={available} /> },
            ]}
          />
        </div>
      </div>
    </Dialog>
  );
}
