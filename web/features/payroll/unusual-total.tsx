import type { PayrollPreview } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Notice } from '#web/ui/notice.tsx';

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
  preview: Compared;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Asks whether a total many times the last one is intended, before it can be sent. */
export function UnusualTotal({ preview, isConfirmed, onConfirm }: UnusualTotalProps) {
  const { total, lastTotal } = preview;
  const last =
    lastTotal === null ? '' : ` The last one to the same people was ${formatMoney(lastTotal)}.`;
  return (
    <div className="paid-again">
      <Notice tone="caution">
        {`This payroll is ${formatMoney(total)}, ${String(timesLast(preview))} times the last payroll.${last}`}
      </Notice>
      <Checkbox
        name="total-is-right"
        label="The amount is right"
        isChecked={isConfirmed}
        onChange={onConfirm}
      />
    </div>
  );
}

/** Reason the button is disabled until the question is answered. */
export const CONFIRM_TOTAL = 'First confirm that the amount is right.';
