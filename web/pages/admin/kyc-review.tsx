import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePagedList } from '#web/api/paged-list.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { IdentityRules } from '#web/features/kyc/review/identity-rules.tsx';
import { ReviewCountsRow } from '#web/features/kyc/review/queue-counts.tsx';
import { ReviewDesk } from '#web/features/kyc/review/desk.tsx';
import {
  DEFAULT_STATUS,
  KIND_OPTIONS,
  readReviewFilter,
  readReviewQuery,
  readTarget,
  statusOptions,
  tableSort,
  writeTarget,
  type ReviewCounts,
  type ReviewQuery,
  type ReviewSearch,
} from '#web/features/kyc/review/queue-filter.ts';
import { ReviewTable } from '#web/features/kyc/review/queue-table.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { changed, writePage, type Changes } from '#web/lib/address.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { toast } from '#web/ui/toast-queue.ts';

type Change = (changes: Changes<ReviewSearch>, replace?: boolean) => void;

/** `/admin/kyc-review`: the queue, and over it the desk with what the address names. */
export function KycReviewPage() {
  const session = useSession();
  const address = useSearch({ from: '/admin/admin/kyc-review' });
  const navigate = useNavigate({ from: '/admin/kyc-review' });
  const query = readReviewQuery(address);
  const counts = useQuery(apiQuery('getReviewCounts', { query: { kind: query.kind } }));
  const target = readTarget(address);
  const viewerId = session.data?.user?.id;

  const change: Change = (changes, replace = false) => {
    void navigate({ search: (current) => changed(current, changes), replace });
  };

  return (
    <>
      <div className="page-head">
        <PageTitle>KYC Management</PageTitle>
        <div className="page-head__actions">
          <IdentityRules />
        </div>
      </div>
      {counts.isError ? (
        <ErrorState
          title="No counts to show"
          message={errorMessage(counts.error, 'Please try again.')}
          onRetry={() => void counts.refetch()}
          isRetrying={counts.isFetching}
        />
      ) : (
        <ReviewCountsRow counts={counts.data} />
      )}
      <Queue query={query} counts={counts.data} onChange={change} />
      {target !== undefined && viewerId !== undefined && (
        <ReviewDesk
          target={target}
          filter={readReviewFilter(address)}
          viewerId={viewerId}
          onGo={(other) => change(writeTarget(other), true)}
          onClose={() => change(writeTarget())}
        />
      )}
    </>
  );
}

interface QueueProps {
  query: ReviewQuery;
  counts: ReviewCounts | undefined;
  onChange: Change;
}

function Queue({ query, counts, onChange }: QueueProps) {
  const { search, status, kind } = query;
  const list = usePagedList(
    apiQuery('listReviewQueue', { query }),
    apiQuery('countReviewQueue', { query: { search, status, kind } }),
  );
  const isFailed = list.failure !== undefined;
  useEffect(() => {
    if (isFailed) toast({ title: 'Failed to load KYC applications', tone: 'critical' });
  }, [isFailed]);

  return (
    <ListFrame
      list={list}
      search={{
        label: 'Search applications',
        placeholder: 'Search name or email',
        text: search,
        onSearch: (text) => onChange({ search: text || undefined, page: undefined }, true),
      }}
      filters={
        <>
          <FilterSelect
            label="Status"
            value={status}
            options={statusOptions(counts)}
            onChange={(value) =>
              onChange({ status: value === DEFAULT_STATUS ? undefined : value, page: undefined })
            }
          />
          <FilterSelect
            label="Kind"
            value={kind}
            options={KIND_OPTIONS}
            onChange={(value) =>
              onChange({ kind: value === 'all' ? undefined : value, page: undefined })
            }
          />
        </>
      }
      errorTitle="No queue to show"
      empty={
        search === '' && status === DEFAULT_STATUS && kind === 'all' ? (
          <EmptyState
            title="Nothing waits for review"
            hint="Applications and wallet documents show here as employees submit them."
          />
        ) : (
          <EmptyState
            title="No applications found"
            hint="Try adjusting your search or filter criteria."
          />
        )
      }
      things="in the queue"
      onPageChange={(page) => onChange({ page: writePage(page) })}
    >
      {(table) => (
        <ReviewTable
          {...table}
          sort={tableSort(query)}
          onSort={({ column, direction }) =>
            onChange({
              sort: column,
              direction: direction === 'ascending' ? 'asc' : 'desc',
              page: undefined,
            })
          }
          onOpen={(target) => onChange(writeTarget(target))}
        />
      )}
    </ListFrame>
  );
}
