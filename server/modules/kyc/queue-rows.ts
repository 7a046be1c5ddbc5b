import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { REVIEW_KINDS } from '#contract/kyc.ts';
import type { ReviewKind } from '#contract/kyc.ts';
import { addUp } from '#server/db/paging.ts';
import type { Reader } from '#server/db/tx.ts';
import { isIn, orderOf } from './queue-order.ts';
import type { QueueFilter, QueuePart } from './queue-order.ts';

/**
 * The two halves of the view `kyc_review_item`, each by itself: of the view PostgreSQL would sort
 * all, of these it reads the few that are wanted by an index in their order.
 */
const SOURCES: Record<ReviewKind, RawBuilder<unknown>> = {
  application: sql`(SELECT id, user_id, status AS review_status, submitted_at
                      FROM kyc_application WHERE status <> 'in_progress' AND destroyed_at IS NULL)`,
  documents: sql`(SELECT id, user_id, review_status, submitted_at
                    FROM kyc_profile WHERE review_status IS NOT NULL)`,
};

export interface QueueId {
  id: string;
  kind: ReviewKind;
}

interface Stretch {
  filter: QueueFilter;
  part: QueuePart;
  offset: number;
  limit: number;
  /** What else must hold of the row `item`, and by name of its `person`. */
  where?: RawBuilder<boolean>;
  isReversed?: boolean;
}

/** Which pieces of the queue are at that place of a stretch, in its order, both kinds together. */
export async function readQueueIds(reader: Reader, stretch: Stretch): Promise<QueueId[]> {
  const { filter, part, offset, limit, isReversed = false } = stretch;
  const halves = kindsOf(filter).map((kind) => sql`(${nearest(kind, stretch)})`);
  const { rows } = await sql<QueueId>`
    SELECT item.id, item.kind FROM (${sql.join(halves, sql` UNION ALL `)}) AS item
     ORDER BY ${orderOf(filter, part, { isReversed, person: 'item' })}
    OFFSET ${offset} LIMIT ${limit}`.execute(reader);
  return rows;
}

/** As many of one kind as there could be on all pages up to this one. */
function nearest(kind: ReviewKind, stretch: Stretch): RawBuilder<unknown> {
  const { filter, part, offset, limit, where = sql<boolean>`true`, isReversed = false } = stretch;
  const isByName = filter.sort === 'name';
  const names = isByName ? sql`, person.last_name, person.first_name` : sql``;
  const person = isByName ? sql`JOIN app_user AS person ON person.id = item.user_id` : sql``;
  return sql`
    SELECT item.id, ${sql.lit(kind)} AS kind, item.submitted_at ${names}
      FROM ${SOURCES[kind]} AS item ${person}
     WHERE ${isIn(filter, part)} AND ${where}
     ORDER BY ${orderOf(filter, part, { isReversed })} LIMIT ${offset + limit}`;
}

/** How many pieces of the queue a stretch has. */
export function countQueue(reader: Reader, filter: QueueFilter, part: QueuePart): Promise<number> {
  return addUp(kindsOf(filter), async (kind) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${SOURCES[kind]} AS item
       WHERE ${isIn(filter, part)}`.execute(reader);
    return rows[0]?.count ?? 0;
  });
}

function kindsOf({ kind }: QueueFilter): readonly ReviewKind[] {
  return kind === 'all' ? REVIEW_KINDS : [kind];
}
