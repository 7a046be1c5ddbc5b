import type { NotificationType } from '#contract/notifications.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { enqueueMail, publish } from '#server/events/outbox.ts';
import { newId } from '#server/lib/ids.ts';

export interface Message {
  type: NotificationType;
  title: string;
  /** One or two sentences, amounts formatted. */
  message: string;
  /** The request or thing it is about. */
  relatedId?: string | null;
  /** When it happened. */
  at: Date;
}

/** Tells one person, in their inbox and by mail, if the transaction commits. */
export async function notify(tx: Tx, userId: string, message: Message): Promise<void> {
  const id = newId();
  await tx
    .insertInto('notification')
    .values({
      id,
      userId,
      type: message.type,
      title: message.title,
      message: message.message,
      relatedId: message.relatedId ?? null,
      createdAt: message.at,
    })
    .execute();
  await publish(tx, { topic: 'notifications', userId });
  await enqueueMail(tx, { kind: 'notification', userId, payload: { notificationId: id } });
}

/** Tells every admin, in their inbox alone: a queue is no reason for a hundred mails. */
export async function notifyAdmins(tx: Tx, message: Message): Promise<void> {
  await sql`
    insert into notification (id, user_id, type, title, message, related_id, created_at)
    select gen_random_uuid(), id, ${message.type}, ${message.title}, ${message.message},
           ${message.relatedId ?? null}::uuid, ${message.at}
    from app_user where role = 'admin' and deactivated_at is null
  `.execute(tx);
  await publish(tx, { topic: 'notifications', userId: null });
}
