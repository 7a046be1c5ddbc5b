import { sql } from 'kysely';
import type { EventTopic } from '#contract/paths.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { LIVE_CHANNEL, packEvents } from './channel.ts';

/** The job that renders and sends a mail; its payload is the outbox row's. */
export const SEND_MAIL = 'send-mail';

/** What `send-mail` is given: ids alone. */
export interface MailPayload {
  kind: string;
  userId: string;
  payload: Readonly<Record<string, string>>;
}

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
    turn: async () => ((await relayBatch(db)) === LIMITS.relay.batchRows ? 0 : undefined),
  });
}

/**
 * Hands on one batch of outbox rows and deletes them, in one transaction: each is delivered at least
 * once and, unless a job is run twice by the queue, once. Answers how many there were.
 */
export async function relayBatch(db: Db): Promise<number> {
  // An idle relay asks only this, without a transaction around it.
  const { rows: waiting } = await sql`select 1 from outbox order by id limit 1`.execute(db);
  if (waiting.length === 0) return 0;
  return withTx(db, async (tx) => {
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
    const events = rows
      .filter(({ kind }) => kind === 'event')
      .map(({ topic, userId }) => ({ topic: topic as EventTopic, userId }));
    await notifyAll(tx, packEvents(events));
    await addJobs(tx, rows.flatMap(jobOf));
    return rows.length;
  });
}

/** As graphile_worker.job_spec names it. The lower the priority, the sooner. */
interface JobSpec {
  identifier: string;
  payload: unknown;
  max_attempts: number;
  priority: number;
}

/** What people wait for goes first; a payroll's hundred thousand notices go last. */
export const PRIORITY = { job: 0, mail: 10, notice: 20 };

function jobOf(row: {
  kind: string;
  topic: string;
  userId: string | null;
  payload: unknown;
}): JobSpec[] {
  const max_attempts = LIMITS.jobs.maxAttempts;
  if (row.kind === 'job') {
    return [{ identifier: row.topic, payload: row.payload, max_attempts, priority: PRIORITY.job }];
  }
  if (row.kind !== 'mail' || row.userId === null) return [];
  const payload: MailPayload = {
    kind: row.topic,
    userId: row.userId,
    payload: row.payload as MailPayload['payload'],
  };
  const priority = row.topic === 'notification' ? PRIORITY.notice : PRIORITY.mail;
  return [{ identifier: SEND_MAIL, payload, max_attempts, priority }];
}

async function notifyAll(tx: Tx, payloads: readonly string[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql`select pg_notify(${LIVE_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(
    tx,
  );
}

async function addJobs(tx: Tx, jobs: readonly JobSpec[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select spec
        from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(jobs)}::json)
          as spec))`.execute(tx);
}
