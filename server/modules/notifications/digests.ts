import { sql } from 'kysely';
import { addDays, dayIn, weekday } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { Clock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import { LIMITS } from '#server/lib/limits.ts';

/** Hour of the company's day at which digests are made. */
const MORNING = '07:00';
const MONDAY = 1;

/** Marks a notification to be mailed in the next digest. Harmless the second time. */
export async function gatherForDigest(
  db: Db,
  item: { notificationId: string; userId: string; at: Date },
): Promise<void> {
  await withTx(db, (tx) =>
    tx
      .insertInto('emailDigestItem')
      .values({
        notificationId: item.notificationId,
        userId: item.userId,
        waitingSince: item.at,
      })
      .onConflict((conflict) => conflict.column('notificationId').doNothing())
      .execute(),
  );
}

/** Mornings whose digests are due: today's, and that of the week's Monday. */
interface Mornings {
  today: string;
  monday: string;
  /** IANA name. */
  timeZone: string;
}

/**
 * Makes the digests that are due, and requests their mails: one a day or a week for each person,
 * starting in the morning. A digest has the notifications that waited at the morning's hour, even
 * if it is made later: a server that was down makes it later the same day, or combines two days.
 * Several processes may run this concurrently, and be killed at any point: the digest, its
 * notifications and its mail are one transaction, and the day is unique. A person who has switched
 * back to immediate mail gets the waiting notifications as a last digest.
 *
 * @returns the number of digests made
 */
export async function makeDigests(
  db: Db,
  { clock, timeZone }: { clock: Clock; timeZone: string },
): Promise<number> {
  const now = clock.now();
  const mornings = await morningsOf(db, timeZone, now);
  if (mornings === null) return 0;
  let made = 0;
  for (let after: string | null = null; ;) {
    const people: Due[] = await findDue(db, mornings, after);
    if (people.length > 0) made += await withTx(db, (tx) => makeThese(tx, people, mornings, now));
    if (people.length < LIMITS.notifications.digestChunk) return made;
    after = people.at(-1)?.userId ?? null;
  }
}

/**
 * Null before the morning. Yesterday's late digests wait until then, so that none is sent at night.
 */
async function morningsOf(db: Db, timeZone: string, now: Date): Promise<Mornings | null> {
  const today = dayIn(timeZone, now);
  const mornings = {
    today,
    monday: addDays(today, -((weekday(today) - MONDAY + 7) % 7)),
    timeZone,
  };
  const { rows } = await sql<{ isMorning: boolean }>`
    SELECT ${morningOf(sql`${today}::date`, mornings)} <= ${now}::timestamptz AS is_morning`.execute(
    db,
  );
  return rows[0]?.isMorning === true ? mornings : null;
}

/** The moment at which a day's morning begins. */
function morningOf(day: ReturnType<typeof sql>, { timeZone }: Mornings) {
  return sql`((${day} + ${MORNING}::time) AT TIME ZONE ${timeZone})`;
}

interface Due {
  userId: string;
  day: string;
}

async function findDue(reader: Reader, mornings: Mornings, after: string | null): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT DISTINCT person.user_id, person.day::text AS day
      FROM (SELECT item.user_id, item.waiting_since,
                   CASE WHEN email_frequency = 'weekly' THEN ${mornings.monday}::date
                        ELSE ${mornings.today}::date END AS day
              FROM email_digest_item AS item
              LEFT JOIN email_preference USING (user_id)
             WHERE digest_id IS NULL
               AND (${after}::uuid IS NULL OR item.user_id > ${after}::uuid)) AS person
     WHERE waiting_since < ${morningOf(sql`person.day`, mornings)}
       AND NOT EXISTS (SELECT FROM email_digest
                        WHERE email_digest.user_id = person.user_id
                          AND email_digest.day = person.day)
     ORDER BY person.user_id LIMIT ${LIMITS.notifications.digestChunk}`.execute(reader);
  return rows;
}

/** Makes those of these digests that no other process has made. */
async function makeThese(
  tx: Tx,
  people: readonly Due[],
  mornings: Mornings,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ id: string; userId: string }>`
    INSERT INTO email_digest (id, user_id, day, made_at)
    SELECT one.*, ${now}::timestamptz
      FROM unnest(${people.map(() => newId(now.getTime()))}::uuid[],
                  ${people.map(({ userId }) => userId)}::uuid[],
                  ${people.map(({ day }) => day)}::date[]) AS one
    ON CONFLICT (user_id, day) DO NOTHING
    RETURNING id, user_id`.execute(tx);
  await sql`
    UPDATE email_digest_item AS item SET digest_id = made.id
      FROM email_digest AS made
     WHERE made.id = ANY (${rows.map(({ id }) => id)}::uuid[])
       AND item.user_id = made.user_id AND item.digest_id IS NULL
       AND item.waiting_since < ${morningOf(sql`made.day`, mornings)}`.execute(tx);
  for (const { id, userId } of rows) {
    enqueueMail(tx, { kind: 'digest', userId, payload: { digestId: id } });
  }
  return rows.length;
}

/** Marks a digest as mailed, so that a job that runs again sends no second one. */
export async function markMailed(db: Db, digestId: string, at: Date): Promise<void> {
  await withTx(db, (tx) =>
    tx.updateTable('emailDigest').set({ mailedAt: at }).where('id', '=', digestId).execute(),
  );
}

/** Notices of a digest that nobody was mailed yet, oldest first; without deleted ones. */
export async function readDigest(
  reader: Reader,
  digestId: string,
): Promise<{ kind: string; title: string; message: string; relatedId: string | null }[]> {
  return reader
    .selectFrom('emailDigestItem')
    .innerJoin('notification', 'notification.id', 'emailDigestItem.notificationId')
    .innerJoin('emailDigest', 'emailDigest.id', 'digestId')
    .select(['kind', 'title', 'message', 'relatedId'])
    .where('digestId', '=', digestId)
    .where('mailedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('notification.id')
    .execute();
}
