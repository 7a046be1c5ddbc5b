import type { StandingBill } from '#contract/api.ts';
import { bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { formatDay } from '#web/lib/format.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { describeRepeat } from './bill-review.tsx';
import { shortMonthWords } from './check-bill.ts';
import './payments.css';

interface StandingBillReceiptProps {
  standing: StandingBill;
  onClose: () => void;
}

/** What is paid again and again from now on. Shown while it is mounted. */
export function StandingBillReceipt({ standing, onClose }: StandingBillReceiptProps) {
  const { amount, walletName, payee, startsOn, nextOn } = standing;
  const short = shortMonthWords(standing);
  return (
    <Dialog
      title="Standing Bill Set Up"
      isOpen
      onClose={onClose}
      actions={
        <Button kind="solid" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="payment">
        <ShownAmounts>
          <AmountHead
            line={`${walletName} to ${payee.name} ••${payee.last4}`}
            amount={{ ...amount, minor: `-${amount.minor}` }}
          />
        </ShownAmounts>
        <Facts
          isTight
          facts={[
            { label: 'Repeats', value: describeRepeat(standing) },
            { label: 'First on', value: formatDay(bankingDayOnOrBefore(startsOn), 'long') },
          ]}
        />
        {short !== null && <p className="muted">{short}</p>}
        {nextOn !== startsOn && (
          <p className="muted">The first one is held now, and listed under Scheduled bills.</p>
        )}
      </div>
    </Dialog>
  );
}
