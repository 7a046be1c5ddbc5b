import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { invariant } from '#server/lib/errors.ts';

/** Table of a failed delivery, and its id there. */
export interface DeliveryPlace {
  table: 'outbox' | 'job';
  /** Digits of a bigint. */
  id: string;
}

/** Parses `outbox-12` or `job-34`, whose form the contract has checked. */
export function placeOf(deliveryId: string): DeliveryPlace {
  const [, table, id] = invariant(/^(outbox|job)-(\d+)$/.exec(deliveryId), 'an id of another form');
  return { table: table === 'job' ? 'job' : 'outbox', id: invariant(id, 'an id without digits') };
}

/**
 * SQL expression of text as a uuid; null for other text, so that a malformed payload causes no
 * error.
 */
export function asUuid(expression: string): RawBuilder<string | null> {
  const text = sql.raw(`(${expression})`);
  return sql`CASE WHEN ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${text}::uuid END`;
}
