import type { Money } from '#contract/money.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Status } from '#web/ui/status.tsx';

interface WithdrawalHeadProps {
  /** Above the amount: which way it goes. */
  line: string;
  amount: Money;
  status?: WithdrawalStatus | undefined;
}

/** The amount that a dialog is about, how it goes and where it stands. */
export function WithdrawalHead({ line, amount, status }: WithdrawalHeadProps) {
  return (
    <AmountHead
      line={line}
      amount={{ ...amount, minor: `-${amount.minor}` }}
      status={status !== undefined && <Status status={status} />}
    />
  );
}
