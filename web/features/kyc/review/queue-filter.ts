import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { REVIEW_KINDS, REVIEW_STATUSES, type ReviewKind } from '#contract/kyc.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import { readPage } from '#web/lib/address.ts';
import { formatCount } from '#web/lib/format.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import type { Sort } from '#web/ui/table-head.tsx';

/** What the address of the queue may say; anything else means its default. */
export interface ReviewSearch {
  search?: string;
  status?: string;
  kind?: string;
  sort?: string;
  direction?: string;
  page?: string;
  /** The application that is open at the desk. */
  application?: string;
  /** The person's wallet documents that are open at the desk, by their verification profile. */
  documents?: string;
}

export type ReviewQuery = RouteArguments<'listReviewQueue'>['query'];
/** Which pieces of the queue, in which order; without the page. */
export type ReviewFilter = RouteArguments<'getReviewNeighbours'>['query'];
export type ReviewCounts = RouteReply<'getReviewCounts'>;
type StatusFilter = ReviewFilter['status'];
type KindFilter = ReviewFilter['kind'];

/** A piece of the queue. */
export interface ReviewTarget {
  kind: ReviewKind;
  id: string;
}

export const DEFAULT_STATUS = 'waiting';

export const KIND_LABELS: Record<ReviewKind, string> = {
  application: 'Application',
  documents: 'Wallet documents',
};

export const KIND_OPTIONS: readonly SelectOption<KindFilter>[] = [
  { value: 'all', label: 'All' },
  { value: 'application', label: 'Applications' },
  { value: 'documents', label: KIND_LABELS.documents },
];

const STATUS_FILTERS = ['waiting', 'all', ...REVIEW_STATUSES] as const;

function statusLabel(status: StatusFilter): string {
  if (status === 'waiting') return 'Waiting';
  return status === 'all' ? 'All' : statusTable[status].label;
}

/** The statuses to choose from, each with how many there are once that is known. */
export function statusOptions(counts: ReviewCounts | undefined): SelectOption<StatusFilter>[] {
  return STATUS_FILTERS.map((value) => {
    const count = counts === undefined ? '' : ` (${formatCount(counts[value])})`;
    return { value, label: `${statusLabel(value)}${count}` };
  });
}

/** Reads the address. Without a sort the list is a queue: what waits, oldest first, then the rest. */
export function readReviewFilter(search: ReviewSearch): ReviewFilter {
  return {
    search: search.search ?? '',
    status: STATUS_FILTERS.find((status) => status === search.status) ?? DEFAULT_STATUS,
    kind: REVIEW_KINDS.find((kind) => kind === search.kind) ?? 'all',
    sort: search.sort === 'submitted' || search.sort === 'name' ? search.sort : 'queue',
    direction: search.direction === 'asc' ? 'asc' : 'desc',
  };
}

export function readReviewQuery(search: ReviewSearch): ReviewQuery {
  return {
    ...readReviewFilter(search),
    page: readPage(search.page),
    pageSize: ADMIN_PAGE_SIZE,
  };
}

/** What the address says is open at the desk. */
export function readTarget({ application, documents }: ReviewSearch): ReviewTarget | undefined {
  if (application !== undefined) return { kind: 'application', id: application };
  return documents === undefined ? undefined : { kind: 'documents', id: documents };
}

/** The words of the address that open a piece of the queue; without one, that close the desk. */
export function writeTarget(target?: ReviewTarget) {
  return {
    application: target?.kind === 'application' ? target.id : undefined,
    documents: target?.kind === 'documents' ? target.id : undefined,
  };
}

/** The sorted column, if any, as the table draws it. */
export function tableSort({ sort, direction }: ReviewFilter): Sort | undefined {
  if (sort === 'queue') return undefined;
  return { column: sort, direction: direction === 'asc' ? 'ascending' : 'descending' };
}
