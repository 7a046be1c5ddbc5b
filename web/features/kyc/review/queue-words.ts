import type { RouteReply } from '#contract/api.ts';
import type { ViewOf } from '#contract/list.ts';
import type { ListedStatus, ReviewKind } from '#contract/kyc.ts';
import type { reviewQueueList } from '#contract/lists.ts';
import { formatCount } from '#web/lib/format.ts';
import { statusTable } from '#web/ui/status-table.ts';

/** The filter and the order of the queue, without the page. */
export type ReviewView = ViewOf<typeof reviewQueueList>;
export type ReviewCounts = RouteReply<'adminGetReviewCounts'>;

/** An item of the queue. */
export interface ReviewTarget {
  kind: ReviewKind;
  id: string;
}

export const KIND_LABELS: Record<ReviewKind, string> = {
  application: 'Application',
  documents: 'Wallet documents',
};

/** The words of the queue's filters; each status with how many there are once that is known. */
export function queueFilters(counts: ReviewCounts | undefined) {
  const withCount = (name: string, status: ListedStatus | 'waiting' | 'all') =>
    counts === undefined ? name : `${name} (${formatCount(counts[status])})`;
  return {
    status: {
      label: 'Status',
      nameOf: (status: ListedStatus | 'waiting') =>
        withCount(status === 'waiting' ? 'Waiting' : statusTable[status].label, status),
      all: withCount('All submitted', 'all'),
    },
    kind: {
      label: 'Kind',
      nameOf: (kind: ReviewKind) =>
        kind === 'application' ? 'Applications' : KIND_LABELS.documents,
    },
  };
}

/** The item that is open at the desk, as the address says. */
export function readTarget({
  application,
  documents,
}: {
  application?: string;
  documents?: string;
}): ReviewTarget | undefined {
  if (application !== undefined) return { kind: 'application', id: application };
  return documents === undefined ? undefined : { kind: 'documents', id: documents };
}
