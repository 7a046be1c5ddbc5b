import type { UseQueryResult } from '@tanstack/react-query';
import { Figures } from '#web/kit/figures.tsx';
import { formatCount } from '#web/lib/format.ts';
import { waitingWords } from './age.ts';
import type { ReviewCounts } from './queue-words.ts';

interface ReviewCountsRowProps {
  query: UseQueryResult<ReviewCounts>;
}

/** Number of items of the queue in each status. */
export function ReviewCountsRow({ query }: ReviewCountsRowProps) {
  return (
    <Figures
      query={query}
      labels={['Submitted', 'In Review', 'Resubmit Required', 'Decided']}
      figuresOf={({ submitted, in_review, resubmit_required, approved, rejected, oldestHours }) => [
        {
          value: formatCount(submitted),
          note:
            oldestHours === null ? 'Nothing waits' : `Oldest waits ${waitingWords(oldestHours)}`,
        },
        { value: formatCount(in_review), note: 'Opened by an admin' },
        { value: formatCount(resubmit_required), note: 'With the employee' },
        {
          value: formatCount(approved + rejected),
          note: `${formatCount(approved)} approved, ${formatCount(rejected)} rejected`,
        },
      ]}
    />
  );
}
