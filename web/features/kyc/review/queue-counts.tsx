import type { UseQueryResult } from '@tanstack/react-query';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import { waitingWords } from './age.ts';
import type { ReviewCounts } from './queue-words.ts';

const LABELS = ['Submitted', 'In Review', 'Resubmit Required', 'Decided'] as const;

interface ReviewCountsRowProps {
  query: UseQueryResult<ReviewCounts>;
}

/** How many items of the queue are in each status. Bars while that loads: never 0 meanwhile. */
export function ReviewCountsRow({ query }: ReviewCountsRowProps) {
  const counts = query.data;
  if (query.isError) return <QueryError query={query} title="The counts could not be loaded" />;
  if (counts === undefined) {
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
  const { submitted, in_review, resubmit_required, approved, rejected, oldestHours } = counts;
  const [first, second, third, last] = LABELS;
  return (
    <Stats>
      <Stat
        label={first}
        value={formatCount(submitted)}
        note={oldestHours === null ? 'Nothing waits' : `Oldest waits ${waitingWords(oldestHours)}`}
      />
      <Stat label={second} value={formatCount(in_review)} note="Opened by an admin" />
      <Stat label={third} value={formatCount(resubmit_required)} note="With the employee" />
      <Stat
        label={last}
        value={formatCount(approved + rejected)}
        note={`${formatCount(approved)} approved, ${formatCount(rejected)} rejected`}
      />
    </Stats>
  );
}
