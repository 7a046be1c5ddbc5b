import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ReviewItem } from '#contract/api.ts';
import {
  APPLICATION_DOCUMENT_TYPES,
  isWaiting,
  REVIEW_KINDS,
  REVIEW_STATUSES,
  WAITING_REVIEW_STATUSES,
  WALLET_DOCUMENT_TYPES,
} from '#contract/kyc.ts';
import type { ListedStatus, ReviewKind } from '#contract/kyc.ts';
import { reviewQueueList } from '#contract/lists.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { sortedName } from '#server/db/person-order.ts';
import { hoursSince, IS_FILLED_IN, readQueueRows } from './queue-rows.ts';
import type { QueueRow, QueueScope } from './queue-rows.ts';

/**
 * The two halves of the view `kyc_review_item`, each by itself: of the view PostgreSQL would sort
 * all, of these it reads the few that are wanted by an index in their order.
 */
const TABLES: Record<ReviewKind, RawBuilder<unknown>> = {
  application: sql`(SELECT id, user_id, status AS review_status, submitted_at
                      FROM kyc_application WHERE status <> 'in_progress' AND destroyed_at IS NULL)`,
  documents: sql`(SELECT id, user_id, review_status, submitted_at
                    FROM kyc_profile WHERE review_status IS NOT NULL)`,
};

/**
 * Applications that are being filled in, in the shape of {@link TABLES}; without those of people who never
 * signed in.
 */
const IN_PROGRESS: Record<ReviewKind, RawBuilder<unknown>> = {
  application: sql`(SELECT id, user_id, status AS review_status, created_at AS submitted_at
                      FROM kyc_application WHERE ${IS_FILLED_IN})`,
  documents: sql`(SELECT id, user_id, review_status, submitted_at FROM kyc_profile WHERE false)`,
};

const ID = key(sql`item.id`, 'uuid');
const SUBMITTED = [key(sql`item.submitted_at`, 'instant'), ID] as const;
const NAME = [key(sortedName('person'), 'text'), key(sql`person.first_name`, 'text'), ID] as const;

/** The review queue, both kinds together: what waits first, oldest first; the rest newest first. */
export const reviewQueue = readsList(reviewQueueList, {
  from: ({ kind, sort, status }) => {
    const kinds = kind === 'all' ? REVIEW_KINDS : [kind];
    const tables = status === 'in_progress' ? IN_PROGRESS : TABLES;
    return kinds.flatMap((one) =>
      sort === 'name' ? withPerson(tables[one], status) : [sql`${tables[one]} AS item`],
    );
  },
  id: sql`item.id`,
  where: {
    status: (status) => isOneOf(statusesOf(status)),
    // The tables that are read say it.
    kind: () => sql`true`,
  },
  search: { person: 'item.user_id' },
  sorts: { submitted: SUBMITTED, name: NAME },
  segments: ({ status }) => {
    const [waiting, settled] = [true, false].map((isWaitingOne) =>
      statusesOf(status).filter((one) => isWaiting(one) === isWaitingOne),
    );
    return [
      { statuses: waiting, order: ascending(...SUBMITTED) },
      { statuses: settled, order: descending(...SUBMITTED) },
    ].flatMap(({ statuses = [], order }) =>
      statuses.length === 0 ? [] : [{ where: isOneOf(statuses), order }],
    );
  },
  rows: readQueueRows,
  present: presentRow,
});

/** Items that are still sorted in well below a tenth of a second. */
export const FEW = 25_000;

/**
 * Items with their people, by two plans of which one gives no rows. Few items are sorted by their people's names: read
 * by name, people without an item would all be passed if they come first. Of many items, people are read by name until
 * enough of them have one.
 */
function withPerson(
  table: RawBuilder<unknown>,
  status: ListedStatus | 'waiting' | 'all',
): RawBuilder<unknown>[] {
  const areMany = sql`EXISTS (
    SELECT FROM ${table} AS item WHERE ${isOneOf(statusesOf(status))} OFFSET ${FEW})`;
  // OFFSET 0 keeps the people from being read first.
  const few = sql`JOIN LATERAL (
    SELECT first_name, last_name FROM app_user WHERE id = item.user_id OFFSET 0) AS person ON NOT ${areMany}`;
  const many = sql`JOIN app_user AS person ON person.id = item.user_id AND ${areMany}`;
  return [few, many].map((person) => sql`${table} AS item ${person}`);
}

function statusesOf(status: ListedStatus | 'waiting' | 'all'): readonly ListedStatus[] {
  if (status === 'all') return REVIEW_STATUSES;
  return status === 'waiting' ? WAITING_REVIEW_STATUSES : [status];
}

function isOneOf(statuses: readonly ListedStatus[]): RawBuilder<boolean> {
  return sql<boolean>`item.review_status IN (${sql.join(statuses)})`;
}

function presentRow(row: QueueRow, { viewerId, now }: QueueScope): ReviewItem {
  const { id, kind, status, submittedAt, userId } = row;
  const { holderId, holderName, claimExpiresAt } = row;
  const required = kind === 'application' ? APPLICATION_DOCUMENT_TYPES : WALLET_DOCUMENT_TYPES;
  return {
    id,
    kind,
    status,
    employee: { id: userId, name: row.name, email: row.email, employeeId: row.employeeNumber },
    submittedAt: status === 'in_progress' ? null : submittedAt.toISOString(),
    startedAt: status === 'in_progress' ? submittedAt.toISOString() : null,
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
