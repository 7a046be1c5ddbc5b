import type { Withdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { isUndone } from '#web/kit/is-undone.ts';
import { useAmountWords } from '#web/lib/privacy.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Ticks, tickCount } from '#web/ui/ticks.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import './withdraw.css';

interface RecentWithdrawalsProps {
  withdrawals: readonly Withdrawal[];
  onOpen: (id: string) => void;
}

/** The latest requests and how far each has come. */
export function RecentWithdrawals({ withdrawals, onOpen }: RecentWithdrawalsProps) {
  if (withdrawals.length === 0) {
    return <EmptyState title="No withdrawals yet" hint="Your withdrawal requests appear here." />;
  }
  return (
    <ul>
      {withdrawals.map((withdrawal) => (
        <RecentWithdrawal
          key={withdrawal.id}
          withdrawal={withdrawal}
          onOpen={() => onOpen(withdrawal.id)}
        />
      ))}
    </ul>
  );
}

interface RecentWithdrawalProps {
  withdrawal: Withdrawal;
  onOpen: () => void;
}

function RecentWithdrawal({ withdrawal, onOpen }: RecentWithdrawalProps) {
  const { amount, status, urgency, bankName, bankLast4, submittedAt } = withdrawal;
  const write = useMoments();
  const writeAmounts = useAmountWords();
  const date = write(submittedAt, 'short', 'company');
  return (
    <li className="recent">
      <div className="recent__top">
        <span className="recent__amount">
          <Money amount={amount} isFaded={isUndone(status)} />
        </span>
        {urgency === 'high' && <Tag tone="caution">Urgent</Tag>}
        <Status status={status} />
      </div>
      <Ticks done={tickCount(WITHDRAWAL_PROGRESS[status])} />
      <div className="recent__foot">
        <span>{`${bankName} ••${bankLast4}, ${date}`}</span>
        <TextButton
          aria-label={writeAmounts(`Details of ${formatMoney(amount)}, ${date}`)}
          onPress={onOpen}
        >
          Details
        </TextButton>
      </div>
    </li>
  );
}
