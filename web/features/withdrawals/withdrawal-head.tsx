import type { Money } from '#contract/money.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { Balance } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import './withdraw.css';

interface WithdrawalHeadProps {
  /** Above the amount: which way it goes. */
  line: string;
  amount: Money;
  status?: WithdrawalStatus | undefined;
}

/** The amount that a dialog is about, how it goes and where it stands. */
export function WithdrawalHead({ line, amount, status }: WithdrawalHeadProps) {
  return (
    <div className="withdrawal__head">
      <div>
        <p className="muted">{line}</p>
        <Balance amount={{ ...amount, minor: `-${amount.minor}` }} />
      </div>
      {status !== undefined && <Status status={status} />}
    </div>
  );
}
