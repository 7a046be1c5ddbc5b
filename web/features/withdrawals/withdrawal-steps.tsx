import type { Withdrawal } from '#contract/api.ts';
import { formatMoney, negated, type Money as MoneyValue } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import { Receipt } from '#web/kit/receipt.tsx';
import { ReviewDialog, type Review } from '#web/kit/reviewed-form.tsx';
import { useCompany } from '#web/lib/company.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { urgencyWithDays } from './urgency.ts';
import { arrivalText, destinationLabel, type WithdrawalPlan } from './withdrawal-plan.ts';
import { withdrawalRail } from './withdrawal-rail.ts';

/** The withdrawal in full, before anything moves. Shown while it is mounted. */
export function WithdrawalReview({ plan, review }: { plan: WithdrawalPlan; review: Review }) {
  const { wallet, bank, amount, urgency, reason } = plan;
  const company = useCompany();
  const coolingOff = stillCoolingOff(bank);
  return (
    <ReviewDialog
      title="Review withdrawal"
      review={review}
      confirm={`Withdraw ${formatMoney(amount)}`}
      line="You withdraw"
      amount={negated(amount)}
      facts={[
        { label: 'From', value: walletLabel(wallet) },
        { label: 'To', value: destinationLabel(bank) },
        { label: 'Urgency', value: urgencyWithDays(urgency) },
        { label: 'Expected', value: arrivalText(urgency, company) },
        ...(coolingOff === null
          ? []
          : [{ label: 'Can be paid from', value: <Time at={coolingOff} as="dateTime" /> }]),
        { label: 'Reason', value: reason === '' ? DEFAULT_WITHDRAWAL_REASON : reason },
        { label: 'Available after', value: <Money amount={plan.availableAfter} /> },
      ]}
      sent={{ what: 'your request', where: 'under Recent Withdrawals' }}
    >
      <p className="muted">Deducted from available now. You can cancel while it is pending.</p>
    </ReviewDialog>
  );
}

interface WithdrawalReceiptProps {
  withdrawal: Withdrawal;
  /** Amount left in the account it came from. */
  available: MoneyValue;
  onClose: () => void;
}

/** Receipt of a request: its reference, what happens next and when. */
export function WithdrawalReceipt({ withdrawal, available, onClose }: WithdrawalReceiptProps) {
  return (
    <Receipt
      title="Withdrawal Submitted"
      line={withdrawalLine(withdrawal)}
      amount={negated(withdrawal.amount)}
      status={<Status status={withdrawal.status} />}
      rail={{ label: 'Withdrawal progress', steps: withdrawalRail(withdrawal) }}
      facts={[
        { label: 'Request ID', value: withdrawal.reference },
        { label: 'Available', value: <Money amount={available} /> },
      ]}
      onClose={onClose}
    />
  );
}

/** "Salary Wallet to Cascade Federal Credit Union ••2208" */
export function withdrawalLine({ walletName, bankName, bankLast4 }: Withdrawal): string {
  return `${walletName} to ${bankName} ••${bankLast4}`;
}
