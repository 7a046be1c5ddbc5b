import {
  BILL_FREQUENCY_LABELS,
  billArrivesBy,
  STANDING_HOLD_DAYS,
  type BillFrequency,
} from '#contract/bills.ts';
import { formatMoney } from '#contract/money.ts';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { formatDay } from '#web/lib/format.ts';
import { walletLabel } from '#web/lib/wallet-label.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { lateWords, payeeFacts, shortMonthWords, type BillPlan } from './check-bill.ts';
import './payments.css';

interface BillReviewProps {
  plan: BillPlan;
  outcome: { isSending: boolean; isUnknown: boolean };
  onBack: () => void;
  onConfirm: () => void;
}

/** The bill in full, before anything is held. Shown while it is mounted. */
export function BillReview({ plan, outcome, onBack, onConfirm }: BillReviewProps) {
  const { amount, wallet, paysOn, dueOn, repeat, memo } = plan;
  const { name, accountType, last4, customerNumber } = payeeFacts(plan.payee);
  const day = formatDay(paysOn, 'short');
  const late = repeat === null ? lateWords(plan) : null;
  const short =
    repeat === null ? null : shortMonthWords({ startsOn: plan.payOn, frequency: repeat.frequency });
  return (
    <Dialog
      title="Review bill"
      isOpen
      onClose={onBack}
      actions={
        <>
          <Button onPress={onBack}>Back</Button>
          <Button
            kind="money"
            isPending={outcome.isSending}
            pendingLabel="Sending"
            onPress={onConfirm}
          >
            {`Pay ${formatMoney(amount)} ${repeat === null ? `on ${day}` : wordsOf(repeat.frequency)}`}
          </Button>
        </>
      }
    >
      <div className="payment">
        <ShownAmounts>
          <AmountHead line="You pay" amount={{ ...amount, minor: `-${amount.minor}` }} />
        </ShownAmounts>
        <Facts
          isTight
          facts={[
            { label: 'To', value: `${name}, ${accountType} ••${last4}` },
            ...optional('Your number', customerNumber),
            { label: 'From', value: walletLabel(wallet) },
            { label: repeat === null ? 'Pays on' : 'First on', value: formatDay(paysOn, 'long') },
            ...optional('Repeats', repeat === null ? '' : describeRepeat(repeat)),
            ...optional(
              'Arrives by',
              repeat === null ? formatDay(billArrivesBy(paysOn), 'long') : '',
            ),
            ...optional('Due', dueOn === null ? '' : formatDay(dueOn, 'date')),
            ...optional('Memo', memo),
            { label: 'Fee', value: 'None' },
            ...(plan.isHeldNow
              ? [{ label: 'Available after', value: <Money amount={plan.availableAfter} /> }]
              : []),
          ]}
        />
        {late !== null && <Notice tone="caution">{late}</Notice>}
        <OutcomeNotice
          {...outcome}
          what="your bill"
          where={repeat === null ? 'under Scheduled bills' : 'under Standing bills'}
        />
        {repeat === null ? (
          <p className="muted">Held from today, paid on {day}. You can cancel until then.</p>
        ) : (
          <p className="muted">
            Each is held {STANDING_HOLD_DAYS} days before its day, and you can cancel it until then.
            We notify you if your account is short.{short !== null && ` ${short}`}
          </p>
        )}
      </div>
    </Dialog>
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

function optional(label: string, value: string) {
  return value === '' ? [] : [{ label, value: <span dir="auto">{value}</span> }];
}
