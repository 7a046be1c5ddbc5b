import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { publish } from './outbox.ts';

/** A message claimed by a job that sends it. */
export interface Claimed {
  id: string;
  endpointId: string;
  url: string;
  body: string;
  /** Including this one. */
  attempts: number;
}

/**
 * Claims the oldest due message of an endpoint, for the maximum time of an attempt; null if none is
 * due. Messages about one thing are sent in order: one that waits holds back the later ones. An
 * endpoint that has just failed pauses, so that one which hangs takes little of the queue's time.
 */
export async function claimMessage(tx: Tx, endpointId: string, now: Date): Promise<Claimed | null> {
  const restedAt = new Date(now.getTime() - LIMITS.webhooks.restMs);
  const lostAt = new Date(now.getTime() + LIMITS.webhooks.lostAfterMs);
  const { rows } = await sql<Claimed>`
    UPDATE webhook_delivery AS taken
       SET attempts = attempts + 1, last_attempt_at = ${now}, next_attempt_at = ${lostAt}
      FROM webhook_endpoint AS endpoint
     WHERE endpoint.id = taken.endpoint_id AND endpoint.removed_at IS NULL
       AND taken.id = (
         SELECT id FROM webhook_delivery AS due
          WHERE endpoint_id = ${endpointId} AND status = 'waiting'
            AND (next_attempt_at IS NULL OR next_attempt_at <= ${now})
            AND NOT EXISTS (
              SELECT FROM webhook_delivery AS before
               WHERE before.endpoint_id = due.endpoint_id AND before.status = 'waiting'
                 AND before.subject_id = due.subject_id AND before.sequence < due.sequence)
            AND NOT EXISTS (
              SELECT FROM webhook_delivery AS refused
               WHERE refused.endpoint_id = due.endpoint_id AND refused.status = 'waiting'
                 AND refused.problem IS NOT NULL AND refused.last_attempt_at > ${restedAt})
          ORDER BY sequence LIMIT 1
          FOR UPDATE SKIP LOCKED)
    RETURNING taken.id, taken.endpoint_id, endpoint.url, taken.body, taken.attempts`.execute(tx);
  return rows[0] ?? null;
}

/** Result of an attempt, as `post` returns it. */
type Outcome = { at: Date } & ({ status: number } | { problem: string });

/**
 * Records the result of an attempt, and after a failure the time of the next; after the last, none.
 *
 * @returns true if the receiver accepted it with 2xx
 */
export async function settleMessage(
  tx: Tx,
  { id, attempts }: Claimed,
  outcome: Outcome,
): Promise<boolean> {
  const { at } = outcome;
  const status = 'status' in outcome ? outcome.status : null;
  const problem = 'problem' in outcome ? outcome.problem : `It answered ${status}`;
  const isTaken = status !== null && status >= 200 && status < 300;
  const waitMs = LIMITS.webhooks.waitsMs[attempts - 1];
  const isLast = waitMs === undefined;
  await tx
    .updateTable('webhookDelivery')
    .set({
      status: isTaken ? 'delivered' : isLast ? 'failed' : 'waiting',
      replyStatus: status,
      problem: isTaken ? null : problem,
      nextAttemptAt: new Date(at.getTime() + (waitMs ?? 0)),
    })
    .where('id', '=', id)
    .execute();
  publish(tx, { topic: 'deliveries', userId: null });
  return isTaken;
}

/** Makes a finished message due again immediately; returns false if there is none. */
export async function sendAgain(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhookDelivery')
    .set({ status: 'waiting', attempts: 0, nextAttemptAt: now, problem: null })
    .where('id', '=', id)
    .where('status', '<>', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives up all waiting messages of an endpoint. */
export async function dropWaiting(tx: Tx, endpointId: string): Promise<void> {
  await tx
    .updateTable('webhookDelivery')
    .set({ status: 'failed', problem: 'The address was removed' })
    .where('endpointId', '=', endpointId)
    .where('status', '=', 'waiting')
    .execute();
}
