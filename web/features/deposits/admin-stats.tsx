import { useQuery } from '@tanstack/react-query';
import { daysBetween, dayIn } from '#contract/calendar.ts';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import { Time } from '#web/ui/time.tsx';

const LABELS = [
  'Pending Deposits',
  'Waiting longest',
  'Approved this month',
  'Rejected this month',
] as const;

/** What waits, how long, and what was decided this month. */
export function DepositStats() {
  const query = useQuery(apiQuery('adminDepositStats', {}));
  const { timeZone } = useCompany();
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
  const { pending, waitingSince, approvedThisMonth, rejectedThisMonth } = query.data;
  return (
    <Stats>
      <Stat
        label={LABELS[0]}
        value={formatCount(pending.count)}
        note={`${formatMoney(pending.amount)} waiting`}
      />
      <Stat
        label={LABELS[1]}
        value={waitingSince === null ? 'None' : waitedWords(waitingSince, timeZone)}
        note={
          waitingSince === null ? (
            'Nothing waits'
          ) : (
            <>
              Since <Time at={waitingSince} as="shortDateTime" />
            </>
          )
        }
      />
      <Stat
        label={LABELS[2]}
        value={<Money amount={approvedThisMonth.amount} />}
        note={counted(approvedThisMonth.count, 'deposit')}
      />
      <Stat
        label={LABELS[3]}
        value={formatCount(rejectedThisMonth.count)}
        note={formatMoney(rejectedThisMonth.amount)}
      />
    </Stats>
  );
}

/** "Today", "1 day", "12 days", by the company's calendar. */
function waitedWords(since: string, timeZone: string): string {
  const days = daysBetween(dayIn(timeZone, new Date(since)), dayIn(timeZone, new Date()));
  return days === 0 ? 'Today' : counted(days, 'day');
}
