import type { ReactNode } from 'react';
import type { Money } from '#contract/money.ts';
import { Balance } from './money.tsx';

interface AmountHeadProps {
  /** Over the amount: what it is, which way it goes. */
  line: string;
  /** Amount with its sign; left out for a thing that moves nothing. */
  amount?: Money | undefined;
  reference?: string | undefined;
  /** At the right: where it stands. */
  status?: ReactNode;
}

/** The amount that a dialog is about, what it is called and where it stands. */
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
