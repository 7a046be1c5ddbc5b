import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { reviewQueueList } from '#contract/lists.ts';
import { apiQuery } from '#web/api/query.ts';
import { ReviewDesk } from '#web/features/kyc/review/desk.tsx';
import { queueColumns } from '#web/features/kyc/review/queue-columns.tsx';
import { ReviewCountsRow } from '#web/features/kyc/review/queue-counts.tsx';
import {
  queueFilters,
  readTarget,
  type ReviewTarget,
} from '#web/features/kyc/review/queue-words.ts';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import '#web/features/kyc/review/review.css';

const WORDS = {
  label: 'Review queue',
  what: 'the review queue',
  itemNoun: 'in the queue',
  search: { label: 'Search applications', placeholder: 'Search name or email' },
  none: {
    title: 'Nothing waits for review',
    hint: 'Applications and wallet documents appear here when employees submit them.',
  },
  noMatch: 'No applications found',
};

/** `/admin/kyc-review`: the queue, and over it the desk with what the address names. */
export function KycReviewPage() {
  const viewerId = useSession().data?.user?.id;
  const list = useList(reviewQueueList);
  const target = readTarget(useSearch({ from: '/admin/admin/kyc-review' }));
  const navigate = useNavigate({ from: '/admin/kyc-review' });
  const counts = useQuery(apiQuery('adminGetReviewCounts', { query: { kind: list.view.kind } }));
  const isFailed = list.paged.failure !== undefined;
  useEffect(() => {
    if (isFailed) toast({ title: 'Failed to load KYC applications', tone: 'critical' });
  }, [isFailed]);

  /** Opens an item of the queue; without one closes the desk. */
  function open(item: ReviewTarget | undefined, replace = false): void {
    void navigate({
      search: ({ application: _, documents: __, ...view }) => ({
        ...view,
        ...(item && { [item.kind]: item.id }),
      }),
      replace,
    });
  }

  return (
    <>
      <ScreenHead
        actions={
          <div className="review-rules">
            <IdentityRules />
          </div>
        }
      />
      <ReviewCountsRow query={counts} />
      <ListPage
        state={list}
        words={WORDS}
        filters={queueFilters(counts.data)}
        columns={queueColumns((item) => {
          // There is nothing to review yet; their page offers a reminder.
          if (item.status !== 'in_progress') return open(item);
          void navigate({ to: '/admin/employees/$id', params: { id: item.employee.id } });
        })}
        rowKey={({ kind, id }) => `${kind} ${id}`}
      />
      <div className="review-rules review-rules--narrow">
        <IdentityRules />
      </div>
      {target !== undefined && viewerId !== undefined && (
        <ReviewDesk
          target={target}
          filter={list.view}
          viewerId={viewerId}
          onGo={(other) => open(other, true)}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}

function IdentityRules() {
  return <LinkButton href="/admin/settings?tab=security">Identity rules</LinkButton>;
}
