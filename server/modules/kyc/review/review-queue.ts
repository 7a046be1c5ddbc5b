import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { isWaiting } from '#contract/kyc.ts';
import type { ReviewStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { hoursSince, IS_FILLED_IN } from './queue-rows.ts';
import { reviewQueue } from './queue-list.ts';
import type { QueueScope } from './queue-rows.ts';
import { loadItem } from './review-item.ts';

type Neighbours = RouteReply<'adminGetReviewNeighbours'>;
type Counts = RouteReply<'adminGetReviewCounts'>;

/** Number of items in each status, and the wait of the oldest one. */
export async function countReviews(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  { kind }: RouteArguments<'adminGetReviewCounts'>['query'],
): Promise<Counts> {
  const { rows } = await sql<{ status: ReviewStatus; count: number; oldest: Date }>`
    SELECT review_status AS status, count(*)::int AS count, min(submitted_at) AS oldest
      FROM kyc_review_item WHERE ${kind} IN ('all', kind) GROUP BY review_status`.execute(reader);
  const inProgress = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM kyc_application
     WHERE ${IS_FILLED_IN} AND ${kind} IN ('all', 'application')`.execute(reader);
  const countOf = (status: ReviewStatus) => rows.find((row) => row.status === status)?.count ?? 0;
  const waiting = rows.filter(({ status }) => isWaiting(status));
  const oldestMs = Math.min(...waiting.map(({ oldest }) => oldest.getTime()));
  return {
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    all: rows.reduce((sum, { count }) => sum + count, 0),
    in_progress: inProgress.rows[0]?.count ?? 0,
    submitted: countOf('submitted'),
    in_review: countOf('in_review'),
    resubmit_required: countOf('resubmit_required'),
    approved: countOf('approved'),
    rejected: countOf('rejected'),
    oldestHours: waiting.length === 0 ? null : hoursSince(new Date(oldestMs), clock.now()),
  };
}

/**
 * The neighbours of an item in the order of a filter. The item itself need not pass the
 * filter: after a decision one goes on from where it was.
 *
 * @throws {AppError} `not_found`
 */
export async function findNeighbours(
  reader: Reader,
  itemId: string,
  view: RouteArguments<'adminGetReviewNeighbours'>['query'],
  scope: QueueScope,
): Promise<Neighbours> {
  await loadItem(reader, itemId);
  const { previous, next } = await reviewQueue.neighbours(reader, itemId, view, scope);
  return { previous: await nameItem(reader, previous), next: await nameItem(reader, next) };
}

async function nameItem(reader: Reader, id: string | null): Promise<Neighbours['next']> {
  return id === null ? null : { id, kind: (await loadItem(reader, id)).kind };
}
