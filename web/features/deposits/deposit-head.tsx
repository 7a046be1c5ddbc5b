import type { DepositStatus } from '#contract/deposits.ts';
import type { Money } from '#contract/money.ts';
import { Balance } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import './deposit.css';

interface DepositHeadProps {
  /** Over the amount: what it is. */
  line: string;
  amount: Money;
  reference?: string | undefined;
  status?: DepositStatus | undefined;
}

/** The amount that a dialog is about, what it is called and where it stands. */
export function DepositHead({ line, amount, reference, status }: DepositHeadProps) {
  return (
    <div className="deposit__head">
      <div>
        <p className="muted">{line}</p>
        <Balance amount={amount} signs="always" />
        {reference !== undefined && (
          <p className="num">
            <span className="muted">Reference</span> {reference}
          </p>
        )}
      </div>
      {status !== undefined && <DepositStatusMark status={status} />}
    </div>
  );
}

/** Where a deposit stands, in its own words. */
export function DepositStatusMark({ status }: { status: DepositStatus }) {
  const label = status === 'pending' ? 'Pending Approval' : undefined;
  return <Status status={status} label={label} isFinal={status === 'approved'} />;
}
