import type { Bill, StandingBill } from '#contract/api.ts';
import { bankingDayOnOrBefore } from '#contract/banking-days.ts';
import {
  BILL_FREQUENCY_LABELS,
  billArrivesBy,
  STANDING_HOLD_DAYS,
  type BillFrequency,
} from '#contract/bills.ts';
import { formatMoney, negated, type Money as MoneyValue } from '#contract/money.ts';
import { Receipt } from '#web/kit/receipt.tsx';
import { ReviewDialog, type Review } from '#web/kit/reviewed-form.tsx';
import { formatDay } from '#web/lib/format.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { factUnlessEmpty } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { billRail } from './bill-rail.ts';
import { lateWords, payeeFacts, shortMonthWords, type BillPlan } from './check-bill.ts';

interface BillReviewProps {
  plan: BillPlan;
  review: Review;
  /** Reason why nothing can be paid now. */
  why: string | undefined;
}

/** The bill in full, before anything is held. Shown while it is mounted. */
export function BillReview({ plan, review, why }: BillReviewProps) {
  const { amount, wallet, paysOn, dueOn, repeat, memo } = plan;
  const { to, customerNumber } = payeeFacts(plan.payee);
  const day = formatDay(paysOn, 'short');
  const late = repeat === null ? lateWords(plan, amount.currency) : null;
  const short =
    repeat === null ? null : shortMonthWords({ startsOn: plan.payOn, frequency: repeat.frequency });
  return (
    <ReviewDialog
      title="Review bill"
      review={review}
      why={why}
      confirm={`Pay ${formatMoney(amount)} ${repeat === null ? `on ${day}` : wordsOf(repeat.frequency)}`}
      line="You pay"
      amount={negated(amount)}
      facts={[
        { label: 'To', value: to },
        ...factUnlessEmpty('Your number', customerNumber),
        { label: 'From', value: walletLabel(wallet) },
        { label: repeat === null ? 'Pays on' : 'First on', value: formatDay(paysOn, 'long') },
        ...factUnlessEmpty('Repeats', repeat === null ? '' : describeRepeat(repeat)),
        ...factUnlessEmpty(
          'Arrives by',
          repeat === null ? formatDay(billArrivesBy(paysOn, amount.currency), 'long') : '',
        ),
        ...factUnlessEmpty('Due', dueOn === null ? '' : formatDay(dueOn, 'date')),
        ...factUnlessEmpty('Memo', memo),
        { label: 'Fee', value: 'None' },
        ...(plan.isHeldNow
          ? [{ label: 'Available after', value: <Money amount={plan.availableAfter} /> }]
          : []),
      ]}
      sent={{
        what: 'your bill',
        where: repeat === null ? 'under Scheduled bills' : 'under Standing bills',
      }}
    >
      {late !== null && <Notice tone="caution">{late}</Notice>}
      {repeat === null ? (
        <p className="muted">Held from today, paid on {day}. You can cancel until then.</p>
      ) : (
        <p className="muted">
          Each is held {STANDING_HOLD_DAYS} days before its day, and you can cancel it until then.
          We notify you if your account is short.{short !== null && ` ${short}`}
        </p>
      )}
    </ReviewDialog>
  );
}

const wordsOf = (frequency: BillFrequency) => BILL_FREQUENCY_LABELS[frequency].toLowerCase();

/** "Every month until Dec 21, 2027" */
export function describeRepeat({
  frequency,
  endsOn,
}: {
  frequency: BillFrequency;
  endsOn: string | null;
}): string {
  const end = endsOn === null ? 'you stop it' : formatDay(endsOn, 'date');
  return `${BILL_FREQUENCY_LABELS[frequency]} until ${end}`;
}

interface BillReceiptProps {
  bill: Bill;
  /** Amount left in the account it comes from. */
  available: MoneyValue;
  onClose: () => void;
}

/** Receipt of a scheduled bill. */
export function BillReceipt({ bill, available, onClose }: BillReceiptProps) {
  const { amount, walletName, payee, payOn } = bill;
  return (
    <Receipt
      title="Bill Scheduled"
      line={`${walletName} to ${payee.name} ••${payee.last4}`}
      amount={negated(amount)}
      status={<Status status="scheduled" label={`Held until ${formatDay(payOn, 'short')}`} />}
      rail={{ label: 'Bill progress', steps: billRail(bill, 'payer') }}
      facts={[
        { label: 'Reference', value: bill.reference },
        ...factUnlessEmpty('Your number', payee.customerNumber),
        { label: 'Available', value: <Money amount={available} /> },
      ]}
      onClose={onClose}
    />
  );
}

interface StandingBillReceiptProps {
  standing: StandingBill;
  onClose: () => void;
}

/** A bill that is repeated from now on. */
export function StandingBillReceipt({ standing, onClose }: StandingBillReceiptProps) {
  const { amount, walletName, payee, startsOn, nextOn } = standing;
  const short = shortMonthWords(standing);
  return (
    <Receipt
      title="Standing Bill Set Up"
      isPrintable={false}
      line={`${walletName} to ${payee.name} ••${payee.last4}`}
      amount={negated(amount)}
      facts={[
        { label: 'Repeats', value: describeRepeat(standing) },
        {
          label: 'First on',
          value: formatDay(bankingDayOnOrBefore(startsOn, amount.currency), 'long'),
        },
      ]}
      onClose={onClose}
    >
      {short !== null && <p className="muted">{short}</p>}
      {nextOn !== startsOn && (
        <p className="muted">The first one is held now, and listed under Scheduled bills.</p>
      )}
    </Receipt>
  );
}
