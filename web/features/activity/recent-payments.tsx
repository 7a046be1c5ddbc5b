import { useQuery } from '@tanstack/react-query';
import { RECENT_ACTIVITY } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RecentActivity } from './recent-activity.tsx';

const RECENT = { query: { type: 'transfer', pageSize: RECENT_ACTIVITY } } as const;

/** Last few payments a person made or received, newest first. */
export function RecentPayments() {
  const recent = useQuery(apiQuery('listHistory', RECENT));
  if (recent.isPending) return <Skeleton lines={5} label="Loading recent payments" />;
  if (recent.isError) return <QueryError query={recent} title="Failed to load recent payments" />;
  return (
    <RecentActivity
      label="Recent payments, newest first"
      items={recent.data.items}
      empty={{ title: 'No payments yet', hint: 'Payments you send and receive appear here.' }}
    />
  );
}
