import { sql } from 'kysely';
import { EVENT_TOPICS } from '#contract/live-topics.ts';
import type { Tx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { LIVE_CHANNEL, packEvents, POSITION_PAIR } from './channel.ts';
import type { LiveEvent } from './channel.ts';
import { JOB_NAMES, MAIL_KINDS } from './outbox.ts';

/** The job that renders and sends a mail; its payload is the outbox row's. */
export const SEND_MAIL = 'send-mail';

/** Payload of `send-mail`: only ids. */
export interface MailPayload {
  kind: string;
  userId: string;
  payload: Readonly<Record<string, string>>;
}

/** Content of an outbox row. */
export interface Delivery {
  kind: string;
  topic: string;
  userId: string | null;
  payload: unknown;
}

/**
 * Thrown for a row of a kind that this version does not know. Its message has no value of the row.
 */
export class UndeliverableError extends Error {
  override readonly name = 'UndeliverableError';
}

/**
 * Delivers those rows to live screens and to the job queue; all of them or, when one cannot be
 * delivered, none. Takes effect with the transaction's COMMIT.
 *
 * @throws {UndeliverableError} or PostgreSQL's error for a row
 */
export async function deliver(tx: Tx, rows: readonly Delivery[]): Promise<void> {
  const events: LiveEvent[] = [];
  const jobs: JobSpec[] = [];
  for (const row of rows) {
    if (row.kind === 'event') events.push(eventOf(row));
    else jobs.push(row.kind === 'mail' ? mailOf(row) : jobOf(row));
  }
  await notifyAll(tx, packEvents(events));
  await addJobs(tx, jobs);
}

/** Fields of graphile_worker.job_spec. A lower priority runs sooner. */
interface JobSpec {
  identifier: string;
  payload: unknown;
  max_attempts: number;
  priority: number;
}

/** Jobs that people wait for come first; a payroll's hundred thousand notices come last. */
export const PRIORITY = { job: 0, mail: 10, notice: 20 };

function eventOf({ topic, userId }: Delivery): LiveEvent {
  return { topic: known(EVENT_TOPICS, topic, 'live event'), userId };
}

function jobOf({ topic, payload }: Delivery): JobSpec {
  return {
    identifier: known(JOB_NAMES, topic, 'job'),
    payload,
    max_attempts: LIMITS.jobs.maxAttempts,
    priority: PRIORITY.job,
  };
}

function mailOf({ topic, userId, payload }: Delivery): JobSpec {
  const kind = known(MAIL_KINDS, topic, 'mail');
  if (userId === null) throw new UndeliverableError('A mail to nobody');
  const mail: MailPayload = { kind, userId, payload: payload as MailPayload['payload'] };
  return {
    identifier: SEND_MAIL,
    payload: mail,
    max_attempts: LIMITS.jobs.maxAttempts,
    priority: kind === 'notification' || kind === 'digest' ? PRIORITY.notice : PRIORITY.mail,
  };
}

/** A name in the list; an unknown one may be from a newer version that shares the database. */
function known<T extends string>(names: readonly T[], name: string, what: string): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new UndeliverableError(`This version knows no such ${what}`);
  return found;
}

/**
 * Sends events, after a position of the database that is after the COMMIT of every change they report. It has a payload
 * of its own, which former versions pass over; PostgreSQL delivers equal payloads of a transaction once.
 */
async function notifyAll(tx: Tx, payloads: readonly string[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql`
    select pg_notify(${LIVE_CHANNEL}, payload)
      from (select format('[["%s",%s]]', ${POSITION_PAIR}::text, pg_current_wal_insert_lsn() - '0/0'::pg_lsn) as payload
            union all select unnest(${payloads}::text[])) as ordered`.execute(tx);
}

async function addJobs(tx: Tx, jobs: readonly JobSpec[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select spec
        from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(jobs)}::json)
          as spec))`.execute(tx);
}
