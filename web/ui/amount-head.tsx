import type { ReactNode } from 'react';
import type { Money } from '#contract/money.ts';
import { Balance } from './money.tsx';

interface AmountHeadProps {
  /** Text above the amount: its kind and direction. */
  line: string;
  /** Amount with its sign; left out if no money moves. */
  amount?: Money | undefined;
  reference?: string | undefined;
  /** Status, on the right. */
  status?: ReactNode;
}

/** Amount of a dialog, with its name and status. */
export function AmountHead({ line, amount, reference, status }: AmountHeadProps) {
  return (
    <div className="amount-head">
      <div>
        <p className="muted">{line}</p>
        {amount !== undefined && <Balance amount={amount} signs="always" />}
        {reference !== undefined && (
          <p className="num">
            <span className="muted">Reference</span> {reference}
          </p>
        )}
      </div>
      {status}
    </div>
  );
}
