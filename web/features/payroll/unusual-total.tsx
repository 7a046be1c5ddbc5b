import type { PayrollPreview } from '#contract/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { employeesWords } from './words.ts';

/** A total so many times the last one is more likely a slip of the hand than a payroll. */
const UNUSUAL_TIMES = 10n;

type Compared = Pick<PayrollPreview, 'total' | 'lastTotal'>;

/** How many times the last total this one is, rounded down; null where there is none to compare with. */
function timesLast({ total, lastTotal }: Compared): bigint | null {
  const lastMinor = BigInt(lastTotal?.minor ?? '0');
  return lastMinor === 0n ? null : BigInt(total.minor) / lastMinor;
}

/** Whether a total has to be asked about before it is confirmed. */
export function isUnusual(compared: Compared): boolean {
  return (timesLast(compared) ?? 0n) >= UNUSUAL_TIMES;
}

interface UnusualTotalProps {
  preview: PayrollPreview;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks whether a total that is many times the last one is meant, before it can be confirmed. */
export function UnusualTotal({ preview, onClose, onConfirm }: UnusualTotalProps) {
  const { total, lastTotal, payableCount, payable } = preview;
  const amount = payable[0]?.amount;
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
