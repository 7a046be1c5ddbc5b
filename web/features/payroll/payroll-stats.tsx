import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { Figures } from '#web/kit/figures.tsx';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';

/** The four figures of payroll. */
export function PayrollStats() {
  return (
    <Figures
      query={useQuery(apiQuery('adminGetPayrollStats', {}))}
      labels={['Total Employees', 'Total Payroll', 'Next Payroll', 'Pending']}
      figuresOf={({ totalEmployees, totalPayroll, nextPayroll, pendingBatches }) => [
        { value: formatCount(totalEmployees) },
        { value: <Money amount={totalPayroll} />, note: 'All time' },
        nextPayroll === null
          ? {
              value: 'Not set',
              note: <TextLink href="/admin/settings?tab=payroll">Set a schedule</TextLink>,
            }
          : { value: formatDay(nextPayroll, 'short') },
        { value: formatCount(pendingBatches), note: 'Batches' },
      ]}
    />
  );
}
