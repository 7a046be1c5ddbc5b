import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES, isWaiting, WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { ReviewStatus } from '#contract/kyc.ts';
import { countAcross, inOrder, pageAcross } from '#server/db/paging.ts';
import type { ListPart } from '#server/db/paging.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { compare, partsOf } from './queue-order.ts';
import type { QueueFilter, QueuePart } from './queue-order.ts';
import { countQueue, readQueueIds } from './queue-rows.ts';
import { asItem, loadItem } from './review-item.ts';
import type { ReviewItemRow } from './review-item.ts';

type Queue = RouteReply<'listReviewQueue'>;
type Neighbours = RouteReply<'getReviewNeighbours'>;
type Counts = RouteReply<'getReviewCounts'>;

const HOUR_MS = 3_600_000;

interface QueueRow {
  id: string;
  kind: string;
  userId: string;
  reviewStatus: string;
  submittedAt: Date;
  name: string;
  email: string;
  employeeNumber: string | null;
  documents: number;
  holderId: string | null;
  holderName: string | null;
  claimExpiresAt: Date | null;
}

/** One page of the review queue, both kinds together. */
export async function listReviewQueue(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  viewerId: string,
  filter: RouteArguments<'listReviewQueue'>['query'],
): Promise<Queue> {
  const now = clock.now();
  const parts = partsOf(filter).map((part) => listPart(reader, now, filter, part));
  const page = await pageAcross(parts, filter);
  return { ...page, items: page.items.map((row) => presentRow(row, viewerId, now)) };
}

/** How many pieces of the queue, both kinds together, the filter leaves. */
export function countReviewQueue(
  reader: Reader,
  selection: RouteArguments<'countReviewQueue'>['query'],
): Promise<RouteReply<'countReviewQueue'>> {
  const filter: QueueFilter = { ...selection, sort: 'queue', direction: 'desc' };
  return countAcross(
    partsOf(filter).map((part) => ({ count: () => countQueue(reader, filter, part) })),
  );
}

/** The page's ids first, by the indexes alone; then what is shown of those few. */
function listPart(
  reader: Reader,
  now: Date,
  filter: QueueFilter,
  part: QueuePart,
): ListPart<QueueRow> {
  return {
    count: () => countQueue(reader, filter, part),
    rows: async (offset, limit) => {
      const found = await readQueueIds(reader, { filter, part, offset, limit });
      const ids = found.map(({ id }) => id);
      return inOrder(ids, await readRows(reader, now, ids));
    },
  };
}

async function readRows(reader: Reader, now: Date, ids: readonly string[]): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    SELECT item.id, item.kind, item.user_id, item.review_status, item.submitted_at,
           owner.name, owner.email, owner.employee_number,
           (SELECT count(*)::int FROM kyc_document AS document
             WHERE document.replaced_at IS NULL AND document.user_id = item.user_id
               AND CASE item.kind WHEN 'application' THEN document.application_id = item.id
                                  ELSE document.application_id IS NULL END) AS documents,
           holder.id AS holder_id, holder.name AS holder_name,
           claim.expires_at AS claim_expires_at
      FROM kyc_review_item AS item
      JOIN app_user AS owner ON owner.id = item.user_id
      LEFT JOIN kyc_claim AS claim ON claim.item_id = item.id AND claim.expires_at > ${now}
      LEFT JOIN app_user AS holder ON holder.id = claim.admin_id
     WHERE item.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

function presentRow(row: QueueRow, viewerId: string, now: Date): Queue['items'][number] {
  const { id, kind, status, submittedAt, userId } = asItem(row);
  const { holderId, holderName, claimExpiresAt } = row;
  const required = kind === 'application' ? APPLICATION_DOCUMENT_TYPES : WALLET_DOCUMENT_TYPES;
  return {
    id,
    kind,
    status,
    employee: { id: userId, name: row.name, email: row.email, employeeId: row.employeeNumber },
    submittedAt: submittedAt.toISOString(),
    ageHours: isWaiting(status) ? hoursSince(submittedAt, now) : null,
    documents: row.documents,
    documentsRequired: required.length,
    claim:
      holderId === null || holderName === null || claimExpiresAt === null
        ? null
        : {
            holder: { id: holderId, name: holderName, employeeId: null },
            isMine: holderId === viewerId,
            expiresAt: claimExpiresAt.toISOString(),
          },
  };
}

function hoursSince(from: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - from.getTime()) / HOUR_MS));
}

/** How many stand where, and how long the oldest that waits has waited. */
export async function countReviews(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  { kind }: RouteArguments<'getReviewCounts'>['query'],
): Promise<Counts> {
  const { rows } = await sql<{ status: ReviewStatus; count: number; oldest: Date }>`
    SELECT review_status AS status, count(*)::int AS count, min(submitted_at) AS oldest
      FROM kyc_review_item WHERE ${kind} IN ('all', kind) GROUP BY review_status`.execute(reader);
  const countOf = (status: ReviewStatus) => rows.find((row) => row.status === status)?.count ?? 0;
  const waiting = rows.filter(({ status }) => isWaiting(status));
  const oldestMs = Math.min(...waiting.map(({ oldest }) => oldest.getTime()));
  return {
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    all: rows.reduce((sum, { count }) => sum + count, 0),
    submitted: countOf('submitted'),
    in_review: countOf('in_review'),
    resubmit_required: countOf('resubmit_required'),
    approved: countOf('approved'),
    rejected: countOf('rejected'),
    oldestHours: waiting.length === 0 ? null : hoursSince(new Date(oldestMs), clock.now()),
  };
}

/**
 * What stands before and after a piece in the order of a filter. The piece itself need not pass the
 * filter: after a decision one goes on from where it was.
 *
 * @throws {AppError} `not_found`
 */
export async function findNeighbours(
  reader: Reader,
  itemId: string,
  filter: QueueFilter,
): Promise<Neighbours> {
  const item = await loadItem(reader, itemId);
  const parts = partsOf(filter);
  const place = Math.max(
    0,
    parts.findIndex(({ statuses }) => statuses.includes(item.status)),
  );
  const after = parts.slice(place + 1);
  const before = parts.slice(0, place).toReversed();
  return {
    next: await firstOf(reader, filter, item, [parts[place], ...after], 'after'),
    previous: await firstOf(reader, filter, item, [parts[place], ...before], 'before'),
  };
}

/** In the item's own part what comes nearest to it; in the others the first, or the last. */
async function firstOf(
  reader: Reader,
  filter: QueueFilter,
  item: ReviewItemRow,
  parts: readonly (QueuePart | undefined)[],
  side: 'before' | 'after',
): Promise<Neighbours['next']> {
  for (const [index, part] of parts.entries()) {
    if (part === undefined) continue;
    const isBeside = index === 0 ? compare(filter, part, item, side) : sql<boolean>`true`;
    const [found] = await readQueueIds(reader, {
      filter,
      part,
      offset: 0,
      limit: 1,
      where: sql<boolean>`item.id <> ${item.id} AND ${isBeside}`,
      isReversed: side === 'before',
    });
    if (found !== undefined) return found;
  }
  return null;
}
