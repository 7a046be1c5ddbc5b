import { dayIn } from '#contract/calendar.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';

const DAY_MS = 86_400_000;
const FRIDAY = 5;
const PAY_TIME = '09:02';

/** A day, `2026-12-08`, that many days later (or earlier). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The moment at which clocks in the time zone show `time` (`09:02`) on that day. */
export function localTime(timeZone: string, day: string, time: string): Date {
  const asUtc = new Date(`${day}T${time}:00Z`);
  return new Date(asUtc.getTime() - offsetMs(timeZone, asUtc));
}

/** Offset of the zone from UTC. It can be an hour wrong in the night when clocks change. */
function offsetMs(timeZone: string, at: Date): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - at.getTime();
}

/** Every second Friday morning of the year before `now`, oldest first; the last is under two weeks ago. */
export function payDaysBefore(now: Date, timeZone: string, count: number): Date[] {
  let day = dayIn(timeZone, now);
  while (new Date(day).getUTCDay() !== FRIDAY || localTime(timeZone, day, PAY_TIME) >= now) {
    day = addDays(day, -1);
  }
  return Array.from({ length: count }, (_, index) =>
    localTime(timeZone, addDays(day, -14 * (count - 1 - index)), PAY_TIME),
  );
}

/** The demo company's schedule: every second Friday, in step with the paydays before `now`. */
export function demoSchedule(now: Date, timeZone: string): PayrollSchedule {
  const [last = now] = payDaysBefore(now, timeZone, 1);
  const firstPayday = dayIn(timeZone, last);
  return { frequency: 'biweekly', day: null, days: '15_last', firstPayday };
}
