import type { EventTopic } from '#contract/paths.ts';
import { pendingRows } from '#server/db/pending-rows.ts';
import type { Tx } from '#server/db/tx.ts';

/** Mails that the product sends; rendered from ids when sent, so no personal data waits here. */
export const MAIL_KINDS = [
  'notification',
  'confirm-email',
  'account-exists',
  'reset-password',
  'password-changed',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Jobs that a change may ask for; each is safe to run twice. */
export const JOB_NAMES = ['post-payroll', 'verify-books'] as const;
export type JobName = (typeof JOB_NAMES)[number];

interface LiveEvent {
  topic: EventTopic;
  /** Whose screens; null means every admin's. */
  userId: string | null;
}

/**
 * Says that something changed, to live screens. Delivered only if the transaction commits; equal
 * events that wait together are delivered once.
 */
export function publish(tx: Tx, ...events: LiveEvent[]): Promise<void> {
  for (const { topic, userId } of events) {
    pendingRows(tx).outbox.push({ kind: 'event', topic, user_id: userId, payload: {} });
  }
  return Promise.resolve();
}

/** Asks for a mail to a person. `payload` carries ids alone. */
export function enqueueMail(
  tx: Tx,
  mail: { kind: MailKind; userId: string; payload?: Readonly<Record<string, string>> },
): Promise<void> {
  const { kind, userId, payload = {} } = mail;
  pendingRows(tx).outbox.push({ kind: 'mail', topic: kind, user_id: userId, payload });
  return Promise.resolve();
}

/** Asks for a job. `payload` carries ids alone. */
export function enqueueJob(
  tx: Tx,
  job: { name: JobName; payload: Readonly<Record<string, string>> },
): Promise<void> {
  const { name, payload } = job;
  pendingRows(tx).outbox.push({ kind: 'job', topic: name, user_id: null, payload });
  return Promise.resolve();
}
