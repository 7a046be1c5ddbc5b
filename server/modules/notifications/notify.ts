import type { NotificationType } from '#contract/notifications.ts';
import { pendingRows } from '#server/db/pending-rows.ts';
import type { NotificationText } from '#server/db/pending-rows.ts';
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
  pendingRows(tx).notifications.push({ id, user_id: userId, ...textOf(message) });
  await publish(tx, { topic: 'notifications', userId });
  await enqueueMail(tx, { kind: 'notification', userId, payload: { notificationId: id } });
}

/** Tells every admin, in their inbox alone: a queue is no reason for a hundred mails. */
export async function notifyAdmins(tx: Tx, message: Message): Promise<void> {
  pendingRows(tx).adminNotifications.push(textOf(message));
  await publish(tx, { topic: 'notifications', userId: null });
}

function textOf({ type, title, message, relatedId, at }: Message): NotificationText {
  return { type, title, message, related_id: relatedId ?? null, created_at: at };
}
