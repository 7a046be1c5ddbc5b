import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';

/** How many withdrawals stand where. Bars while `stats` loads: a figure is never shown as 0 meanwhile. */
export function WithdrawalStats({
  stats,
}: {
  stats: RouteReply<'adminWithdrawalStats'> | undefined;
}) {
  if (stats === undefined) {
    return (
      <Stats>
        {['Pending Requests', 'Approved Requests', 'Processing', 'Total Withdrawals'].map(
          (label) => (
            <Stat key={label} label={label} value={<SkeletonBar width="short" />} />
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
        note={`${formatCount(stats.total)} requests, ${formatCount(stats.processed)} completed`}
      />
    </Stats>
  );
}
