import { sql } from 'kysely';
import { doInHalves } from '#server/db/savepoint.ts';
import type { Tx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { shortError } from '#server/lib/short-error.ts';
import { errorCode } from '#server/lib/start-error.ts';
import { isUnavailable } from '#server/lib/unavailable.ts';
import { deliver, UndeliverableError } from './deliver.ts';
import type { Delivery } from './deliver.ts';

/**
 * Classes of PostgreSQL's codes that no row has caused: an outdated plan, a failed transaction, a
 * missing role, schema or right, a broken server. Like `isUnavailable`, they mean that nothing can
 * be relayed now, and all rows wait.
 */
const NOT_THE_ROW = ['0A', '25', '28', '3D', '3F', '42', '58', 'F0', 'XX'];

/** True if a single row caused the error, so that the others can be relayed without it. */
export function isFaultOfRow(error: unknown): boolean {
  if (error instanceof UndeliverableError) return true;
  const code = errorCode(error);
  if (code === undefined || isUnavailable(error)) return false;
  return !NOT_THE_ROW.some((beginning) => code.startsWith(beginning));
}

/** Result of relaying rows separately. */
export interface Relayed {
  /** Number of rows. */
  taken: number;
  failed: readonly FailedRow[];
}

/** A row that could not be delivered. */
export interface FailedRow {
  id: bigint;
  kind: string;
  /** Number of this attempt. */
  attempts: number;
  error: string;
  /** Delay until the next attempt; null: the row is set aside. */
  waitMs: number | null;
}

interface WaitingRow extends Delivery {
  id: bigint;
  /** Number of earlier attempts. */
  attempts: number;
}

/**
 * Relays the oldest rows of the outbox, of which at least one cannot be delivered: the others are
 * delivered, the failing ones move to `outbox_failed`.
 */
export async function relayApart(tx: Tx): Promise<Relayed> {
  const oldest = await tx
    .selectFrom('outbox')
    .select(['id', 'kind', 'topic', 'userId', 'payload'])
    .orderBy('id')
    .limit(LIMITS.relay.batchRows)
    .forUpdate()
    .skipLocked()
    .execute();
  const rows = oldest.map((row) => ({ ...row, attempts: 0 }));
  const failed = await deliverApart(tx, rows);
  await sql`
    WITH taken AS (
      DELETE FROM outbox WHERE id = ANY (${rows.map(({ id }) => id)}::bigint[]) RETURNING *
    )
    INSERT INTO outbox_failed (id, kind, topic, user_id, payload, created_at, attempts,
                               next_attempt_at, last_error)
    SELECT id, kind, topic, user_id, payload, created_at, failed.attempts, failed.next_attempt_at,
           failed.error
      FROM taken JOIN ${tableOf(failed)} USING (id)`.execute(tx);
  return { taken: rows.length, failed };
}

/** Retries those whose delay is over. */
export async function retryFailed(tx: Tx): Promise<Relayed> {
  const rows = await tx
    .selectFrom('outboxFailed')
    .select(['id', 'kind', 'topic', 'userId', 'payload', 'attempts'])
    .where('nextAttemptAt', '<=', sql<Date>`now()`)
    .orderBy('nextAttemptAt')
    .limit(LIMITS.relay.batchRows)
    .forUpdate()
    .skipLocked()
    .execute();
  const failed = await deliverApart(tx, rows);
  const stillFailed = new Set(failed.map(({ id }) => id));
  const delivered = rows.map(({ id }) => id).filter((id) => !stillFailed.has(id));
  await sql`DELETE FROM outbox_failed WHERE id = ANY (${delivered}::bigint[])`.execute(tx);
  await sql`
    UPDATE outbox_failed AS row
       SET attempts = failed.attempts, next_attempt_at = failed.next_attempt_at,
           last_error = failed.error
      FROM ${tableOf(failed)} WHERE row.id = failed.id`.execute(tx);
  if (failed.some(({ waitMs }) => waitMs === null)) {
    await deliver(tx, [{ kind: 'event', topic: 'deliveries', userId: null, payload: {} }]);
  }
  return { taken: rows.length, failed };
}

async function deliverApart(tx: Tx, rows: readonly WaitingRow[]): Promise<FailedRow[]> {
  const failed: FailedRow[] = [];
  await doInHalves(tx, rows, {
    attempt: (some) => deliver(tx, some),
    isRefusal: isFaultOfRow,
    refuse({ id, kind, attempts }, error) {
      const waitMs = LIMITS.relay.failedWaitsMs[attempts] ?? null;
      failed.push({ id, kind, attempts: attempts + 1, error: wordsOf(error), waitMs });
    },
  });
  return failed;
}

function wordsOf(error: unknown): string {
  const message = shortError(error instanceof Error ? error.message : String(error));
  const code = errorCode(error);
  return code === undefined ? message : `${message} (${code})`;
}

/** The failed rows as a table `failed` (id, attempts, error, next_attempt_at). */
function tableOf(failed: readonly FailedRow[]) {
  return sql`(
    SELECT id, attempts, error,
           clock_timestamp() + make_interval(secs => wait_ms / 1000) AS next_attempt_at
      FROM unnest(${failed.map(({ id }) => id)}::bigint[],
                  ${failed.map(({ attempts }) => attempts)}::integer[],
                  ${failed.map(({ error }) => error)}::text[],
                  ${failed.map(({ waitMs }) => waitMs)}::double precision[])
             AS one (id, attempts, error, wait_ms)
    ) AS failed`;
}
