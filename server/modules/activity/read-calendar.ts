import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { writeCalendar } from '#server/lib/icalendar.ts';
import type { CalendarEvent } from '#server/lib/icalendar.ts';
import { resolveCalendarFeed } from '#server/modules/identity/index.ts';
import type { Attempts } from '#server/modules/identity/index.ts';
import { nextPayday } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { listOpenWithdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';

const DAYS_AHEAD = 365;
/** Paydays of a year, weekly. */
const MOST_PAYDAYS = 53;

interface ReadCalendar {
  db: Db;
  services: Pick<Services, 'clock'>;
  attempts: Attempts;
}

/**
 * The calendar behind a private address (text/calendar): paydays of the year to come, days on which
 * withdrawals should arrive, and those on which bills are paid, as its owner chose. It has their words
 * and days, and no amount, name or number. The same until one of them or the day changes.
 *
 * @returns null for an address that leads to nothing, for whatever reason
 * @throws {AppError} `hourly_limit`
 */
export async function readCalendar(
  { db, services, attempts }: ReadCalendar,
  token: string,
): Promise<string | null> {
  const feed = await resolveCalendarFeed(db, services, token);
  if (feed === null) return null;
  const { userId } = feed;
  await attempts.spendHourly('calendarReads', userId);
  const settings = await readSettings(db);
  const now = services.clock.now();
  const today = dayIn(settings.timeZone, now);
  const next = await nextPayday(db, settings, { userId, now });
  const days = [
    ...paydaysAfter(settings, addDays(today, -1), MOST_PAYDAYS).map(({ on: payday }) => payday),
    ...(next === null ? [] : [next]),
  ].filter((day) => day <= addDays(today, DAYS_AHEAD));
  return writeCalendar({
    name: 'Purser',
    madeAt: new Date(`${today}T00:00:00Z`),
    events: [
      ...[...new Set(days)].toSorted().map((day) => ({
        ...on(day),
        uid: uidOf(userId, 'payday', day),
        summary: feed.paydayWords,
      })),
      ...(feed.hasArrivals
        ? await arrivals(db, services, { userId, summary: feed.arrivalWords })
        : []),
      ...(feed.hasBills ? await bills(db, settings, { userId, summary: feed.billWords }) : []),
    ],
  });
}

async function arrivals(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { userId, summary }: { userId: string; summary: string },
): Promise<CalendarEvent[]> {
  const open = await listOpenWithdrawals(reader, services, userId);
  return open.flatMap(({ id, expected }) =>
    expected === null ? [] : [{ ...expected, uid: uidOf(userId, 'arrival', id), summary }],
  );
}

/** Bills that wait for their day, and of each standing bill the next that is not scheduled yet. */
async function bills(
  reader: Reader,
  { currency }: CompanySettings,
  { userId, summary }: { userId: string; summary: string },
): Promise<CalendarEvent[]> {
  const { rows } = await sql<{ id: string; day: string }>`
    SELECT id, pay_on::text AS day FROM bill
     WHERE user_id = ${userId} AND status IN ('scheduled', 'due')
    UNION ALL
    SELECT id, next_on::text FROM standing_bill
     WHERE user_id = ${userId} AND ended_at IS NULL
     ORDER BY day, id`.execute(reader);
  return rows.map(({ id, day }) => ({
    ...on(bankingDayOnOrBefore(day, currency)),
    uid: uidOf(userId, 'bill', id),
    summary,
  }));
}

function on(day: string): { from: string; to: string } {
  return { from: day, to: day };
}

/** Hashed: the id of a request has the time in it at which it was made. */
function uidOf(userId: string, kind: string, what: string): string {
  const hash = createHash('sha256').update(`${kind} ${userId} ${what}`).digest('hex');
  return `${hash.slice(0, 32)}@purser`;
}
