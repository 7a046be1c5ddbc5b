import { useQuery } from '@tanstack/react-query';
import { RECENT_ACTIVITY } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { RecentActivity } from './recent-activity.tsx';

const RECENT = { query: { type: 'transfer', pageSize: RECENT_ACTIVITY } } as const;

/** Last few payments a person made or received, newest first. */
export function RecentPayments() {
  const recent = useQuery(apiQuery('listHistory', RECENT));
  return (
    <LoadedQuery query={recent} what="recent payments" lines={5}>
      {({ items }) => (
        <RecentActivity
          label="Recent payments, newest first"
          items={items}
          empty={{ title: 'No payments yet', hint: 'Payments you send and receive appear here.' }}
        />
      )}
    </LoadedQuery>
  );
}
