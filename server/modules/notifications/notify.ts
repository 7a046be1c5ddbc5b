import { CompiledQuery, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts';
import type { AdminsKind, NotificationKind, PersonalKind } from '#contract/notification-kinds.ts';
import { writtenAtCommit } from '#server/db/tx.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { enqueueMail, enqueueMails, mailsOf, publish } from '#server/events/outbox.ts';
import { newId } from '#server/lib/ids.ts';

export interface Message<Kind extends NotificationKind = NotificationKind> {
  /** Kind in the catalogue, which has its title, the place it leads to and whether it is mailed. */
  kind: Kind;
  /** One or two sentences, amounts formatted. */
  message: string;
  /** Id of the request or thing it is about. */
  relatedId?: string | null;
  /** Time of the event. */
  at: Date;
}

interface Notice {
  /** The recipient and the notification's id, or null for all admins. */
  to: { id: string; userId: string } | null;
  message: Message;
}

/**
 * Notifies one person, if the transaction commits: in their inbox, and by mail as often as they
 * chose, unless they switched it off.
 */
export function notify(tx: Tx, userId: string, message: Message<PersonalKind>): void {
  const id = newId();
  addNotices(tx, { to: { id, userId }, message });
  publish(tx, { topic: 'notifications', userId });
  mailTo(tx, { notificationId: id, userId });
}

/**
 * Notifies every admin: in their inbox, and by mail if the kind is mailed to `admins`. A queue is no reason for a
 * hundred mails. An admin whom the same transaction notifies as the person concerned gets only that notification.
 */
export function notifyAdmins(tx: Tx, message: Message<AdminsKind>): void {
  addNotices(tx, { to: null, message });
  publish(tx, { topic: 'notifications', userId: null });
}

const addNotices = writtenAtCommit<Notice>('notification', (notices) =>
  CompiledQuery.raw(WRITE, [
    JSON.stringify(
      notices.flatMap(({ to, message }) =>
        to === null ? [] : [{ id: to.id, user_id: to.userId, ...textOf(message) }],
      ),
    ),
    JSON.stringify(notices.flatMap(({ to, message }) => (to === null ? [textOf(message)] : []))),
    MAILED_TO_ADMINS,
  ]),
);

const MAILED_TO_ADMINS = Object.entries(NOTIFICATION_KINDS).flatMap(([kind, { mail }]) =>
  mail === 'admins' ? [kind] : [],
);

const WRITE = `
  WITH written AS (
  INSERT INTO notification (id, user_id, kind, type, title, message, related_id, created_at)
  SELECT * FROM json_to_recordset($1::json)
    AS one (id uuid, user_id uuid, kind text, type text, title text, message text, related_id uuid,
            created_at timestamptz)
  UNION ALL
  SELECT gen_random_uuid(), admin.id, one.*
    FROM json_to_recordset($2::json)
      AS one (kind text, type text, title text, message text, related_id uuid, created_at timestamptz)
    JOIN app_user AS admin ON admin.role = 'admin' AND admin.deactivated_at IS NULL
   WHERE NOT EXISTS (SELECT FROM json_to_recordset($1::json) AS own (user_id uuid)
                      WHERE own.user_id = admin.id)
  RETURNING id, user_id, kind)
  ${mailsOf(`
  SELECT 'notification', user_id, jsonb_build_object('notificationId', id)
    FROM written WHERE kind = ANY ($3::text[])`)}`;

function textOf({ kind, message, relatedId, at }: Message): object {
  const { type, title } = NOTIFICATION_KINDS[kind];
  return { kind, type, title, message, related_id: relatedId ?? null, created_at: at };
}

function mailTo(
  tx: Tx,
  { notificationId, userId }: Pick<Recipient, 'notificationId' | 'userId'>,
): void {
  enqueueMail(tx, { kind: 'notification', userId, payload: { notificationId } });
}

/** One of many people who get the same kind of message together. */
export interface Recipient {
  /**
   * Id of the notification to create. An event that happens once has one, so it can notify only
   * once.
   */
  notificationId: string;
  userId: string;
  message: string;
  /** True to request the mail, too; if false, `mailNotifications` does it later. */
  isMailed: boolean;
}

/**
 * Notifies many people in one statement, in their inboxes, and returns those of them who have a
 * session. Only they can have a screen open, so only they need live events: 100,000 people cost a
 * few event rows. Runs immediately, not with the COMMIT, so that it can be sent together with other
 * statements.
 */
export async function notifyMany(
  tx: Tx,
  recipients: readonly Recipient[],
  { kind, at }: Pick<Message<PersonalKind>, 'kind' | 'at'>,
): Promise<string[]> {
  const { type, title } = NOTIFICATION_KINDS[kind];
  const { rows } = await sql<{ userId: string }>`
    WITH notified AS (
      INSERT INTO notification (id, user_id, kind, type, title, message, related_id, created_at)
      SELECT id, user_id, ${kind}, ${type}, ${title}, message, id, ${at}::timestamptz
        FROM unnest(${recipients.map((each) => each.notificationId)}::uuid[],
                    ${recipients.map((each) => each.userId)}::uuid[],
                    ${recipients.map((each) => each.message)}::text[]) AS one (id, user_id, message)
      RETURNING user_id
    )
    SELECT user_id FROM notified
     WHERE EXISTS (SELECT FROM auth_session
                    WHERE auth_session.user_id = notified.user_id AND expires_at > ${at})`.execute(
    tx,
  );
  for (const { userId } of rows) publish(tx, { topic: 'notifications', userId });
  for (const recipient of recipients) if (recipient.isMailed) mailTo(tx, recipient);
  return rows.map(({ userId }) => userId);
}

/** Recipient, kind and time of a notification, deleted by the recipient or not; null if there is none. */
export async function findNotice(
  reader: Reader,
  id: string,
): Promise<{ userId: string; kind: string; createdAt: Date } | null> {
  const row = await reader
    .selectFrom('notification')
    .select(['userId', 'kind', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Those of the notification ids that exist. */
export async function findNotifications(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM notification WHERE id = ANY (${ids}::uuid[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Requests the mails of many notifications in one statement.
 *
 * @param notifications a query for the notifications' `id` and `user_id`, in the order of sending
 */
export function mailNotifications(tx: Tx, notifications: RawBuilder<unknown>): Promise<void> {
  return enqueueMails(
    tx,
    'notification',
    sql`SELECT user_id, jsonb_build_object('notificationId', id) FROM (${notifications}) AS one`,
  );
}
