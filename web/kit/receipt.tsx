import type { ReactNode } from 'react';
import type { Money } from '#contract/money.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';

interface ReceiptProps {
  /** "Bill Scheduled" */
  title: string;
  /** Text above the amount: from where to where. */
  line: string;
  /** Amount with its sign. */
  amount: Money;
  /** Status, to the right of the amount. */
  status?: ReactNode;
  /** Steps of the request so far, and those to come. */
  rail?: { label: string; steps: readonly DatedStep[] };
  facts: readonly Fact[];
  /** Actions before "Print receipt". */
  actions?: ReactNode;
  /** False for what is no receipt of a payment. */
  isPrintable?: boolean;
  onClose: () => void;
  /** Under the facts. */
  children?: ReactNode;
}

/** The sent request, to keep: amount, steps and reference. Shown while it is mounted. */
export function Receipt(props: ReceiptProps) {
  const { title, line, amount, status, rail, facts, actions, onClose, children } = props;
  const { isPrintable = true } = props;
  return (
    <DoneDialog
      title={title}
      isReceipt={isPrintable}
      onClose={onClose}
      actions={
        <>
          {actions}
          {isPrintable && <PrintReceipt />}
        </>
      }
    >
      <ShownAmounts>
        <AmountHead line={line} amount={amount} status={status} />
        {rail !== undefined && <DatedRail {...rail} />}
      </ShownAmounts>
      <Facts isTight facts={facts} />
      {children}
    </DoneDialog>
  );
}
