import type { PaidThisPeriod } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import type { Money as Amount } from '#contract/money.ts';
import { formatMoney } from '#contract/money.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { employeesWords } from './words.ts';

/** "Payroll", or the type of funding. */
export function paidTypeWords(type: PaidThisPeriod['newest']['type']): string {
  return type === 'payroll' ? 'Payroll' : FUNDING_TYPES[type].label;
}

/** In a row: "Already paid this period: $2,400.00, Payroll, Nov 25". */
export function PaidNote({ paid }: { paid: PaidThisPeriod }) {
  const write = useMoments();
  const { total, payments, newest } = paid;
  const what = `${paidTypeWords(newest.type)}, ${write(newest.at, 'short', 'company')}`;
  const times = payments > 1 ? `${counted(payments, 'payment')}, last ` : '';
  return (
    <span className="meta num paid-note">
      {`Already paid this period: ${formatMoney(total)}, ${times}${what}`}
    </span>
  );
}

interface PaidAgainProps {
  /** First day of the pay period. */
  since: string;
  total: Amount;
  /** Number of employees already paid. Null if the dialog is about one employee. */
  count: number | null;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Asks whether people who were already paid in the pay period should be paid again. */
export function PaidAgain({ since, total, count, isConfirmed, onConfirm }: PaidAgainProps) {
  const who = count === null ? 'This employee' : employeesWords(count);
  const was = count === null || count === 1 ? 'was' : 'were';
  return (
    <div className="paid-again">
      <Notice tone="caution">
        {`${who} ${was} already paid ${formatMoney(total)} since ${formatDay(since, 'short')}.`}
      </Notice>
      <Checkbox
        name="pay-again"
        label={
          count === null || count === 1 ? 'Pay this employee again' : 'Pay these employees again'
        }
        isChecked={isConfirmed}
        onChange={onConfirm}
      />
    </div>
  );
}

/** Reason the confirm button is disabled until the question is answered. */
export const CONFIRM_PAID_AGAIN = 'First confirm that you want to pay them again.';
