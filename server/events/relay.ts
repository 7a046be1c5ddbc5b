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
 * takes a lock on commit that would put them in a row; this does both for them, in batches. Any
 * number of processes may relay at once.
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
 * once and, unless a job is run twice by the queue, once. Answers how many there were.
 *
 * A row that cannot be delivered does not hold up the others: it goes to `outbox_failed`, is tried again
 * after growing waits, and is then set aside for an admin. What is nobody's fault (the queue's tables
 * cannot be written, say) is thrown, and all rows stay.
 */
export async function relayBatch(db: Db, log: Log = silentLog): Promise<number> {
  const { hasRows, hasDue } = await lookForRows(db);
  const taken = hasRows ? await relayOldest(db, log) : 0;
  if (!hasDue) return taken;
  const retried = await withTx(db, retryFailed);
  logFailed(log, retried);
  return taken + retried.taken;
}

/** An idle relay asks only this, without a transaction around it. */
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

/** All rows at once: what almost always succeeds, without a savepoint. */
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
    // As an array it is asked once: as a subquery of IN it may be asked again for every row.
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
