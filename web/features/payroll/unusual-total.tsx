import type { PayrollPreview } from '#contract/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { employeesWords } from './words.ts';

/** A total this many times the last one is more likely a typing mistake than a payroll. */
const UNUSUAL_TIMES = 10n;

type Compared = Pick<PayrollPreview, 'total' | 'lastTotal'>;

/** Ratio of this total to the last one, rounded down. Null if there is nothing to compare with. */
function timesLast({ total, lastTotal }: Compared): bigint | null {
  const lastMinor = BigInt(lastTotal?.minor ?? '0');
  return lastMinor === 0n ? null : BigInt(total.minor) / lastMinor;
}

/** True if the admin must confirm the total separately. */
export function isUnusual(compared: Compared): boolean {
  return (timesLast(compared) ?? 0n) >= UNUSUAL_TIMES;
}

interface UnusualTotalProps {
  preview: PayrollPreview;
  /** True if there is no one amount to name. */
  hasOwnAmounts?: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks whether a total many times the last one is intended, before it can be confirmed. */
export function UnusualTotal({
  preview,
  hasOwnAmounts = false,
  onClose,
  onConfirm,
}: UnusualTotalProps) {
  const { total, lastTotal, payableCount, payable } = preview;
  const amount = hasOwnAmounts ? undefined : payable[0]?.amount;
  return (
    <ConfirmDialog
      isOpen
      title={`${String(timesLast(preview))} times the last payroll?`}
      keepLabel="Check the amount"
      confirmLabel="The amount is right"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        This payroll is{' '}
        <span className="strong">
          <Money amount={total} />
        </span>
        {amount !== undefined && (
          <>
            : <Money amount={amount} /> to {employeesWords(payableCount)}
          </>
        )}
        .
        {lastTotal !== null && (
          <>
            {' '}
            The last one to the same people was <Money amount={lastTotal} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
