import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';

const LABELS = ['Employees', 'Funded this month', 'Total funded'] as const;

/** Number of employees who can be funded, and the amounts funded this month and in total. */
export function FundingStats() {
  const query = useQuery(apiQuery('adminGetFundingStats', {}));
  if (query.isError) return <QueryError query={query} title="Error Loading Statistics" />;
  if (query.data === undefined) {
    return (
      <Stats>
        {LABELS.map((label) => (
          <Stat
            key={label}
            label={label}
            value={<SkeletonBar width="short" />}
            note={NOTE_TO_COME}
          />
        ))}
      </Stats>
    );
  }
  const { employees, withAccount, month, ever } = query.data;
  return (
    <Stats>
      <Stat
        label={LABELS[0]}
        value={formatCount(employees)}
        note={`${formatCount(withAccount)} with an open account`}
      />
      <Stat
        label={LABELS[1]}
        value={<Money amount={month.total} />}
        note={counted(month.count, 'time')}
      />
      <Stat
        label={LABELS[2]}
        value={<Money amount={ever.total} />}
        note={`All time, ${counted(ever.count, 'time')}`}
      />
    </Stats>
  );
}
