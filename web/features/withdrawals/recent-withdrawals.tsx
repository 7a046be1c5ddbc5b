import { useQuery } from '@tanstack/react-query';
import type { Withdrawal } from '#contract/api.ts';
import { RECENT_WITHDRAWALS } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { apiQuery } from '#web/api/query.ts';
import { isUndone } from '#web/kit/is-undone.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useAmountWords } from '#web/lib/privacy.ts';
import { Items } from '#web/ui/empty-state.tsx';
import { RequestRow } from '#web/ui/request-row.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import './withdraw.css';

interface RecentWithdrawalsProps {
  onOpen: (id: string) => void;
}

/** The latest requests and how far each has come. */
export function RecentWithdrawals({ onOpen }: RecentWithdrawalsProps) {
  const recent = useQuery(apiQuery('listWithdrawals', { query: { pageSize: RECENT_WITHDRAWALS } }));
  return (
    <Section title="Recent Withdrawals" isRuled>
      <LoadedQuery query={recent} what="withdrawals" lines={6}>
        {({ items }) => (
          <Items
            items={items}
            none={{ title: 'No withdrawals yet', hint: 'Your withdrawal requests appear here.' }}
          >
            {(withdrawal) => (
              <RecentWithdrawal
                key={withdrawal.id}
                withdrawal={withdrawal}
                onOpen={() => onOpen(withdrawal.id)}
              />
            )}
          </Items>
        )}
      </LoadedQuery>
    </Section>
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
    <RequestRow
      amount={amount}
      isFaded={isUndone(status)}
      mark={urgency === 'high' && <Tag tone="caution">Urgent</Tag>}
      status={<Status status={status} />}
      progress={WITHDRAWAL_PROGRESS[status]}
    >
      <span>{`${bankName} ••${bankLast4}, ${date}`}</span>
      <TextButton
        aria-label={writeAmounts(`Details of ${formatMoney(amount)}, ${date}`)}
        onPress={onOpen}
      >
        Details
      </TextButton>
    </RequestRow>
  );
}
