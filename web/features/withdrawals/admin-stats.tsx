import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';

/** Number of withdrawals in each status. */
export function WithdrawalStats() {
  return (
    <Figures
      query={useQuery(apiQuery('adminWithdrawalStats', {}))}
      labels={['Pending Requests', 'Approved Requests', 'Processing', 'Total Withdrawals']}
      figuresOf={(stats) => [
        {
          value: formatCount(stats.pendingRequests),
          note: `${formatMoney(stats.pendingAmount)} waiting`,
        },
        {
          value: formatCount(stats.approvedRequests),
          note: `${formatMoney(stats.approvedAmount)} to send`,
        },
        {
          value: formatCount(stats.processingRequests),
          note: `${formatMoney(stats.processingAmount)} on its way`,
        },
        {
          value: <Money amount={stats.totalWithdrawalAmount} />,
          note: `${counted(stats.total, 'request')}, ${formatCount(stats.processed)} completed`,
        },
      ]}
    />
  );
}
