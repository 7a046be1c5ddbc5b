import { CompiledQuery, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EventTopic } from '#contract/live-topics.ts';
import type { LiveTopics } from '#contract/things/thing.ts';
import { writtenAtCommit } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, WEBHOOK_FACTS } from '#contract/webhooks.ts';

/** Mails of the product; rendered from ids when sent, so no personal data waits here. */
export const MAIL_KINDS = [
  'notification',
  'digest',
  'confirm-email',
  'account-exists',
  'reset-password',
  'choose-password',
  'password-changed',
  'confirm-new-email',
  'email-changed',
  'open-documents',
  'admin-invite',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Jobs that a change can request; each is safe to run twice. */
export const JOB_NAMES = [
  'post-payroll',
  'post-payout-file',
  'book-returns',
  'run-transfers',
  'verify-books',
  'import-employees',
  'send-webhooks',
  'sweep-recoveries',
] as const;
export type JobName = (typeof JOB_NAMES)[number];

export interface LiveEvent {
  topic: EventTopic;
  /** Person whose screens changed; null means every admin's. */
  userId: string | null;
}

interface OutboxRow {
  kind: 'event' | 'mail' | 'job';
  topic: string;
  user_id: string | null;
  payload: Readonly<Record<string, string>>;
}

const addRows = writtenAtCommit<OutboxRow>('outbox', (rows) =>
  CompiledQuery.raw(WRITE, [JSON.stringify(rows)]),
);

const WRITE = `
  INSERT INTO outbox (kind, topic, user_id, payload)
  SELECT * FROM json_to_recordset($1::json)
    AS one (kind text, topic text, user_id uuid, payload jsonb)`;

/**
 * Publishes a change to live screens. Delivered only if the transaction commits; equal events that
 * wait together are delivered once.
 */
export function publish(tx: Tx, ...events: readonly LiveEvent[]): void {
  for (const { topic, userId } of events) {
    addRows(tx, { kind: 'event', topic, user_id: userId, payload: {} });
  }
}

/** Publishes topics to the screens of a person, if it concerns one, and to those of all administrators. */
export function publishTopics(
  tx: Tx,
  { owner = [], admins = [] }: LiveTopics,
  userId: string | null,
): void {
  if (userId !== null) publish(tx, ...owner.map((topic) => ({ topic, userId })));
  publish(tx, ...admins.map((topic) => ({ topic, userId: null })));
}

/**
 * Publishes the topics that an operation changes, as far as its acts and events have not: to the screens of its actor,
 * and to those of all administrators.
 */
export function publishChanges(tx: Tx, changes: LiveTopics, actorId: string | null): void {
  const published = publishedIn(tx);
  const missing = (topics: readonly EventTopic[] = [], isForAdmins: boolean) =>
    topics.filter(
      (topic) =>
        !published.some(
          (event) => event.topic === topic && (event.userId === null) === isForAdmins,
        ),
    );
  const rest = { owner: missing(changes.owner, false), admins: missing(changes.admins, true) };
  publishTopics(tx, rest, actorId);
}

/** The live events that a transaction has published so far. */
export function publishedIn(tx: Tx): LiveEvent[] {
  return addRows
    .waiting(tx)
    .filter(({ kind }) => kind === 'event')
    .map(({ topic, user_id: userId }) => ({ topic: topic as EventTopic, userId }));
}

/** Requests a mail to a person. `payload` has only ids. */
export function enqueueMail(
  tx: Tx,
  mail: { kind: MailKind; userId: string; payload?: Readonly<Record<string, string>> },
): void {
  const { kind, userId, payload = {} } = mail;
  addRows(tx, { kind: 'mail', topic: kind, user_id: userId, payload });
}

/**
 * Requests many mails in one statement, immediately and not with the COMMIT.
 *
 * @param mails a query for `user_id` and `payload` (jsonb, only ids), in the order of sending
 */
export async function enqueueMails(
  tx: Tx,
  kind: MailKind,
  mails: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    INSERT INTO outbox (kind, topic, user_id, payload)
    SELECT 'mail', ${kind}, one.* FROM (${mails}) AS one (user_id, payload)`.execute(tx);
}

/** SQL that requests mails. @param mails a query for their `topic`, which is a {@link MailKind}, `user_id` and `payload` */
export function mailsOf(mails: string): string {
  return `INSERT INTO outbox (kind, topic, user_id, payload) SELECT 'mail', one.* FROM (${mails}) AS one`;
}

/** Requests a job. `payload` has only ids. */
export function enqueueJob(
  tx: Tx,
  job: { name: JobName; payload: Readonly<Record<string, string>> },
): void {
  const { name, payload } = job;
  addRows(tx, { kind: 'job', topic: name, user_id: null, payload });
}

/** An act, as in the audit trail. */
interface Act {
  action: string;
  subjectType: string;
  subjectId: string | null;
  personId?: string | null;
  details?: Readonly<Record<string, unknown>>;
}

interface Message {
  event: string;
  subject_id: string | null;
  body: string;
}

/**
 * Sends an act to the endpoints that subscribed to it, if the transaction commits. Acts that are
 * not in the catalogue are ignored.
 */
export function addWebhookMessages(tx: Tx, act: Act): void {
  if (!(act.action in WEBHOOK_EVENTS)) return;
  addMessages(tx, { event: act.action, subject_id: act.subjectId, body: bodyOf(act) });
}

const addMessages = writtenAtCommit<Message>('webhook_delivery', (messages) =>
  CompiledQuery.raw(WRITE_MESSAGES, [JSON.stringify(messages)]),
);

const WRITE_MESSAGES = `
  WITH made AS (
    INSERT INTO webhook_delivery (endpoint_id, event, subject_id, body)
    SELECT endpoint.id, one.*
      FROM json_to_recordset($1::json) AS one (event text, subject_id uuid, body text)
      JOIN webhook_endpoint AS endpoint
        ON endpoint.removed_at IS NULL AND one.event = ANY (endpoint.events)
    RETURNING endpoint_id
  )
  INSERT INTO outbox (kind, topic, payload)
  SELECT DISTINCT 'job', 'send-webhooks', jsonb_build_object('endpointId', endpoint_id) FROM made`;

/** Body of Standard Webhooks: `type`, `timestamp`, `data`; only ids and facts. */
function bodyOf({ action, subjectType, subjectId, personId, details = {} }: Act): string {
  const facts = Object.fromEntries(
    Object.entries(details).filter(([name]) => WEBHOOK_FACTS.includes(name)),
  );
  return JSON.stringify({
    type: action,
    // Time of the act, by the command's clock.
    timestamp: typeof details['at'] === 'string' ? details['at'] : new Date().toISOString(),
    data: { subjectType, subjectId, personId: personId ?? null, ...facts },
  });
}

/** Sends a test message to an endpoint. */
export async function addTestMessage(tx: Tx, endpointId: string, at: Date): Promise<void> {
  const body = JSON.stringify({
    type: TEST_EVENT,
    timestamp: at.toISOString(),
    data: { message: 'A test of this address.' },
  });
  await tx.insertInto('webhookDelivery').values({ endpointId, event: TEST_EVENT, body }).execute();
}
