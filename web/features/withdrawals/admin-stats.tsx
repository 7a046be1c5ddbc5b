import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';

/** How many withdrawals stand where. Bars while that loads: a figure is never shown as 0 meanwhile. */
export function WithdrawalStats() {
  const query = useQuery(apiQuery('adminWithdrawalStats', {}));
  const stats = query.data;
  if (query.isError) return <QueryError query={query} title="Error Loading Statistics" />;
  if (stats === undefined) {
    return (
      <Stats>
        {['Pending Requests', 'Approved Requests', 'Processing', 'Total Withdrawals'].map(
          (label) => (
            <Stat
              key={label}
              label={label}
              value={<SkeletonBar width="short" />}
              note={NOTE_TO_COME}
            />
          ),
        )}
      </Stats>
    );
  }
  const { pendingAmount, approvedAmount, processingAmount, totalWithdrawalAmount } = stats;
  return (
    <Stats>
      <Stat
        label="Pending Requests"
        value={formatCount(stats.pendingRequests)}
        note={`${formatMoney(pendingAmount)} waiting`}
      />
      <Stat
        label="Approved Requests"
        value={formatCount(stats.approvedRequests)}
        note={`${formatMoney(approvedAmount)} to send`}
      />
      <Stat
        label="Processing"
        value={formatCount(stats.processingRequests)}
        note={`${formatMoney(processingAmount)} on its way`}
      />
      <Stat
        label="Total Withdrawals"
        value={<Money amount={totalWithdrawalAmount} />}
        note={`${counted(stats.total, 'request')}, ${formatCount(stats.processed)} completed`}
      />
    </Stats>
  );
}
