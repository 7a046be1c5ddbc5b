import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import { isWaiting, REVIEW_STATUSES, WAITING_REVIEW_STATUSES } from '#contract/kyc.ts';
import type { ReviewStatus } from '#contract/kyc.ts';
import { containsPattern, isPersonMatching } from '#server/db/search.ts';
import type { ReviewItemRow } from './review-item.ts';

export type QueueFilter = RouteArguments<'getReviewNeighbours'>['query'];

/** A stretch of the list that has one order. */
export interface QueuePart {
  statuses: readonly ReviewStatus[];
  direction: 'asc' | 'desc';
}

const SETTLED = REVIEW_STATUSES.filter((status) => !isWaiting(status));

/** The stretches laid end to end; by `queue` what waits comes first, oldest first. */
export function partsOf({ status, sort, direction }: QueueFilter): QueuePart[] {
  const statuses = statusesOf(status);
  if (sort !== 'queue') return [{ statuses, direction }];
  const waiting = WAITING_REVIEW_STATUSES.filter((one) => statuses.includes(one));
  const settled = SETTLED.filter((one) => statuses.includes(one));
  const parts: QueuePart[] = [
    { statuses: waiting, direction: 'asc' },
    { statuses: settled, direction: 'desc' },
  ];
  return parts.filter((part) => part.statuses.length > 0);
}

function statusesOf(status: QueueFilter['status']): readonly ReviewStatus[] {
  if (status === 'all') return REVIEW_STATUSES;
  return status === 'waiting' ? WAITING_REVIEW_STATUSES : [status];
}

/** Whether the row `item` is in that stretch and passes the search. */
export function isIn({ search }: QueueFilter, { statuses }: QueuePart): RawBuilder<boolean> {
  const isFound =
    search === '' ? sql`true` : isPersonMatching('item.user_id', containsPattern(search));
  return sql<boolean>`item.review_status IN (${sql.join(statuses)}) AND ${isFound}`;
}

/** The id makes every order whole. `person` is where the names are. */
function columnsOf({ sort }: QueueFilter, person = 'person'): RawBuilder<unknown>[] {
  return sort === 'name'
    ? [sql.ref(`${person}.last_name`), sql.ref(`${person}.first_name`), sql`item.id`]
    : [sql`item.submitted_at`, sql`item.id`];
}

interface OrderOptions {
  isReversed?: boolean;
  /** What the names are columns of. */
  person?: string;
}

export function orderOf(
  filter: QueueFilter,
  part: QueuePart,
  { isReversed = false, person = 'person' }: OrderOptions = {},
): RawBuilder<unknown> {
  const isAscending = (part.direction === 'asc') !== isReversed;
  const way = isAscending ? sql`ASC` : sql`DESC`;
  return sql.join(columnsOf(filter, person).map((column) => sql`${column} ${way}`));
}

/** Whether the row `item` comes before or after another piece in that stretch's order. */
export function compare(
  filter: QueueFilter,
  part: QueuePart,
  other: ReviewItemRow,
  side: 'before' | 'after',
): RawBuilder<boolean> {
  const isGreater = (part.direction === 'asc') === (side === 'after');
  const values =
    filter.sort === 'name'
      ? sql`(SELECT last_name, first_name, ${other.id}::uuid FROM app_user WHERE id = ${other.userId})`
      : sql`(${other.submittedAt}::timestamptz, ${other.id}::uuid)`;
  const row = sql`(${sql.join(columnsOf(filter))})`;
  return isGreater ? sql<boolean>`${row} > ${values}` : sql<boolean>`${row} < ${values}`;
}
