import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { deliver } from './deliver.ts';
import { isFaultOfRow, relayApart, retryFailed } from './relay-apart.ts';
import type { Relayed } from './relay-apart.ts';

/**
 * Drains the outbox until stopped. Money transactions neither NOTIFY nor add jobs, because NOTIFY
 * takes a lock on commit that would make them run one after the other; this does both for them, in
 * batches. Any number of processes may relay concurrently.
 */
export function startRelay(db: Db, log: Log): Part {
  return supervise({
    name: 'relay',
    log,
    everyMs: LIMITS.relay.pollMs,
    turn: async () => ((await relayBatch(db, log)) >= LIMITS.relay.batchRows ? 0 : undefined),
  });
}

/**
 * Relays one batch of outbox rows and deletes them, in one transaction: each is delivered at least
 * once and, unless the queue runs a job twice, exactly once. Returns their number.
 *
 * A row that cannot be delivered does not hold up the others: it moves to `outbox_failed`, is
 * retried after growing delays, and is then set aside for an admin. An error that no row caused
 * (the queue's tables cannot be written, for example) is thrown, and all rows stay.
 */
export async function relayBatch(db: Db, log: Log = silentLog): Promise<number> {
  const { hasRows, hasDue } = await lookForRows(db);
  const taken = hasRows ? await relayOldest(db, log) : 0;
  if (!hasDue) return taken;
  const retried = await withTx(db, retryFailed);
  logFailed(log, retried);
  return taken + retried.taken;
}

/** An idle relay runs only this query, without a transaction. */
async function lookForRows(db: Db): Promise<{ hasRows: boolean; hasDue: boolean }> {
  const { rows } = await sql<{ hasRows: boolean; hasDue: boolean }>`
    select (select 1 from outbox order by id limit 1) is not null as has_rows,
           exists (select from outbox_failed where next_attempt_at <= now()) as has_due`.execute(
    db,
  );
  return rows[0] ?? { hasRows: false, hasDue: false };
}

async function relayOldest(db: Db, log: Log): Promise<number> {
  try {
    return await withTx(db, relayTogether);
  } catch (error) {
    if (!isFaultOfRow(error)) throw error;
    const relayed = await withTx(db, relayApart);
    logFailed(log, relayed);
    return relayed.taken;
  }
}

/** All rows together first: this almost always succeeds, and needs no savepoint. */
async function relayTogether(tx: Tx): Promise<number> {
  const oldest = tx
    .selectFrom('outbox')
    .select('id')
    .orderBy('id')
    .limit(LIMITS.relay.batchRows)
    .forUpdate()
    .skipLocked();
  const rows = await tx
    .deleteFrom('outbox')
    // As an array it is evaluated once; as a subquery of IN it may be evaluated for every row.
    .where('id', '=', sql<bigint>`any(array(${oldest}))`)
    .returning(['kind', 'topic', 'userId', 'payload'])
    .execute();
  await deliver(tx, rows);
  return rows.length;
}

function logFailed(log: Log, { failed }: Relayed): void {
  for (const { id, kind, attempts, error, waitMs } of failed) {
    const row = { outboxId: String(id), kind, attempts, error };
    if (waitMs === null) log.error({ ...row, msg: 'An outbox row was set aside' });
    else log.warn({ ...row, waitMs, msg: 'An outbox row could not be relayed' });
  }
}
