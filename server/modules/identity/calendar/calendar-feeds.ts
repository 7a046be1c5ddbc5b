import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { CALENDAR_FEEDS_PATH } from '#contract/calendar-feed.ts';
import type { CalendarFeed as FeedTable } from '#server/db/schema.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newToken } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';

const HOUR_MS = 3_600_000;

type Choices = RouteArguments<'createCalendarFeed'>['body'];
type Presented = RouteReply<'changeCalendarFeed'>;

const CHOICES = ['paydayWords', 'arrivalWords', 'billWords', 'hasArrivals', 'hasBills'] as const;
const COLUMNS = [...CHOICES, 'createdAt', 'lastReadAt'] as const;

/** Settings of the calendar on a person's phone; null without an address for it. */
export async function getCalendarFeed(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'getCalendarFeed'>> {
  const row = await reader
    .selectFrom('calendarFeed')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return { calendar: row === undefined ? null : present(row) };
}

/**
 * Makes the private address of a person's calendar: random 256 bits, in the reply and nowhere else. One
 * that the person had before ends. They are notified, because it outlives the session that made it.
 *
 * @param url where people reach Purser, without a closing slash
 */
export async function createCalendarFeed(
  tx: Tx,
  { clock, url }: Pick<Services, 'clock'> & { url: string },
  by: CommandContext,
  choices: Choices,
): Promise<RouteReply<'createCalendarFeed'>> {
  const { id: userId } = by.actor;
  const now = clock.now();
  const token = newToken();
  const row = { ...choices, tokenHash: hashOf(token), createdAt: now, lastReadAt: null };
  const before = await deleteFeed(tx, userId);
  await tx
    .insertInto('calendarFeed')
    .values({ userId, ...row })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute();
  record(tx, by, before ? 'calendar_feed.renewed' : 'calendar_feed.created', {
    id: userId,
    at: now,
  });
  return { ...present(row), address: `${url}${CALENDAR_FEEDS_PATH}${token}.ics` };
}

/** @throws {AppError} `calendar_feed_not_found` */
export async function changeCalendarFeed(
  tx: Tx,
  { actor }: CommandContext,
  choices: Choices,
): Promise<Presented> {
  const row = await tx
    .updateTable('calendarFeed')
    .set(choices)
    .where('userId', '=', actor.id)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('calendar_feed_not_found');
  return present(row);
}

/** @throws {AppError} `calendar_feed_not_found` */
export async function revokeCalendarFeed(tx: Tx, by: CommandContext): Promise<void> {
  if (!(await deleteFeed(tx, by.actor.id))) throw new AppError('calendar_feed_not_found');
  record(tx, by, 'calendar_feed.revoked', { id: by.actor.id });
}

/** Ends the address of a person's calendar; false where there was none. */
export async function deleteFeed(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendarFeed')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Owner of a requested calendar, and the content they chose. */
export interface CalendarFeed extends Choices {
  userId: string;
}

/**
 * Owner of the calendar of a token; null for one that is made up or ended, and of who is no active
 * employee. Each of them takes the same query. That it was read is noted once an hour.
 */
export async function resolveCalendarFeed(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  token: string,
): Promise<CalendarFeed | null> {
  const row = await db
    .selectFrom('calendarFeed')
    .innerJoin('appUser', 'appUser.id', 'calendarFeed.userId')
    .modifyFront(prepared)
    .select(['userId', 'lastReadAt', ...CHOICES])
    .where('tokenHash', '=', hashOf(token))
    .where('deactivatedAt', 'is', null)
    .where('isEmployee', '=', true)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { lastReadAt, ...feed } = row;
  const now = clock.now();
  if (lastReadAt === null || now.getTime() - lastReadAt.getTime() >= HOUR_MS) {
    await withTx(db, (tx) =>
      tx
        .updateTable('calendarFeed')
        .set({ lastReadAt: now })
        .where('userId', '=', feed.userId)
        .where('tokenHash', '=', hashOf(token))
        .execute(),
    );
  }
  return feed;
}

function present(row: Pick<Selectable<FeedTable>, (typeof COLUMNS)[number]>): Presented {
  const { createdAt, lastReadAt, ...choices } = row;
  return {
    ...choices,
    createdAt: createdAt.toISOString(),
    lastReadAt: lastReadAt?.toISOString() ?? null,
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(`calendar ${token}`).digest();
}
