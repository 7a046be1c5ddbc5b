import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';

/** People who can be funded, and the money that was: this month and ever. */
export function FundingStats() {
  return (
    <Figures
      query={useQuery(apiQuery('adminGetFundingStats', {}))}
      labels={['Employees', 'Funded this month', 'Total funded']}
      figuresOf={({ employees, withAccount, month, ever }) => [
        {
          value: formatCount(employees),
          note: `${formatCount(withAccount)} with an open account`,
        },
        { value: <Money amount={month.total} />, note: counted(month.count, 'time') },
        {
          value: <Money amount={ever.total} />,
          note: `All time, ${counted(ever.count, 'time')}`,
        },
      ]}
    />
  );
}
