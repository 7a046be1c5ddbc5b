import type { DepositStatus } from '#contract/deposits.ts';
import type { Money } from '#contract/money.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Status } from '#web/ui/status.tsx';

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
    <AmountHead
      line={line}
      amount={amount}
      reference={reference}
      status={status !== undefined && <DepositStatusMark status={status} />}
    />
  );
}

/** Status of a deposit, in its own words. */
export function DepositStatusMark({ status }: { status: DepositStatus }) {
  const label = status === 'pending' ? 'Pending Approval' : undefined;
  return <Status status={status} label={label} isFinal={status === 'approved'} />;
}
