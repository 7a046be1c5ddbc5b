import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';

function nextPayrollWords(day: string | null): string {
  return day === null ? 'Not set' : formatDay(day, 'short');
}

/** The four payroll figures, with placeholders while loading. */
export function PayrollStats() {
  const query = useQuery(apiQuery('adminGetPayrollStats', {}));
  const stats = query.data;
  if (query.isError) return <QueryError query={query} title="Error Loading Statistics" />;
  const bar = <SkeletonBar width="short" />;
  return (
    <Stats>
      <Stat
        label="Total Employees"
        value={stats === undefined ? bar : formatCount(stats.totalEmployees)}
      />
      <Stat
        label="Total Payroll"
        value={stats === undefined ? bar : <Money amount={stats.totalPayroll} />}
        note="All time"
      />
      <Stat
        label="Next Payroll"
        value={stats === undefined ? bar : nextPayrollWords(stats.nextPayroll)}
        note={
          stats?.nextPayroll === null ? (
            <TextLink href="/admin/settings?tab=payroll">Set a schedule</TextLink>
          ) : undefined
        }
      />
      <Stat
        label="Pending"
        value={stats === undefined ? bar : formatCount(stats.pendingBatches)}
        note="Batches"
      />
    </Stats>
  );
}
