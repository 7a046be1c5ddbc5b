import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { publish } from './outbox.ts';

/** A message that is being sent by whoever claimed it. */
export interface Claimed {
  id: string;
  endpointId: string;
  url: string;
  body: string;
  /** With this one. */
  attempts: number;
}

/**
 * Takes the oldest message to an address that is due, for as long as an attempt may last; null where
 * none is. Messages about one thing are sent in order: one that waits holds back those after it. An
 * address that has just failed rests, so that one which hangs takes little of the queue's time.
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

/** How an attempt ended, as `post` answers it. */
type Outcome = { at: Date } & ({ status: number } | { problem: string });

/**
 * Records how an attempt ended, and after a failed one when the next is; after the last, none.
 *
 * @returns whether the receiver took it: answered 2xx
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

/** Has a message that is over sent again, at once; answers whether there is such a one. */
export async function sendAgain(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhookDelivery')
    .set({ status: 'waiting', attempts: 0, nextAttemptAt: now, problem: null })
    .where('id', '=', id)
    .where('status', '<>', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Nothing of what waits for an address is sent any more. */
export async function dropWaiting(tx: Tx, endpointId: string): Promise<void> {
  await tx
    .updateTable('webhookDelivery')
    .set({ status: 'failed', problem: 'The address was removed' })
    .where('endpointId', '=', endpointId)
    .where('status', '=', 'waiting')
    .execute();
}
