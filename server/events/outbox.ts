import type { EventTopic } from '#contract/paths.ts';
import type { Tx } from '#server/db/tx.ts';

/** Mails that the product sends; the relay renders them from ids, so no personal data waits here. */
export type MailKind =
  | 'notification'
  | 'confirm-email'
  | 'account-exists'
  | 'reset-password'
  | 'password-changed';

/** Jobs that a change may ask for; each is safe to run twice. */
export type JobName = 'post-payroll';

interface LiveEvent {
  topic: EventTopic;
  /** Whose screens; null means every admin's. */
  userId: string | null;
}

/**
 * Says that something changed, to live screens. Delivered only if the transaction commits; equal
 * events that wait together are delivered once.
 */
export async function publish(tx: Tx, ...events: LiveEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('outbox')
    .values(events.map(({ topic, userId }) => ({ kind: 'event', topic, userId })))
    .execute();
}

/** Asks for a mail to a person. `payload` carries ids alone. */
export async function enqueueMail(
  tx: Tx,
  mail: { kind: MailKind; userId: string; payload?: Readonly<Record<string, string>> },
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      kind: 'mail',
      topic: mail.kind,
      userId: mail.userId,
      payload: JSON.stringify(mail.payload ?? {}),
    })
    .execute();
}

/** Asks for a job. `payload` carries ids alone. */
export async function enqueueJob(
  tx: Tx,
  job: { name: JobName; payload: Readonly<Record<string, string>> },
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ kind: 'job', topic: job.name, payload: JSON.stringify(job.payload) })
    .execute();
}
