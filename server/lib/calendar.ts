import { bankingDayOnOrAfter, bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { addDays, addMonths, dayIn, daysBetween, weekday } from '#contract/calendar.ts';
import type { Currency } from '#contract/money.ts';
import { zoneName } from '#contract/time-zones.ts';
import { invariant } from './errors.ts';

const FRIDAY = 5;
/** A payday moves by fewer days than this: no weekend with its holidays is longer. */
const LONGEST_MOVE_DAYS = 7;

/** Pay schedule of the company. Days are text such as `2026-12-11`. */
export interface PayrollSchedule {
  frequency: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly';
  /** Day of a monthly schedule; the last day of the month when null. */
  day: '1' | '15' | 'last' | null;
  /** The two days of payroll twice a month. */
  days: '1_15' | '15_last';
  /**
   * The first payday of a weekly or biweekly schedule; the others follow it by whole weeks. A weekly
   * schedule without one pays on Fridays; a biweekly schedule always has one.
   */
  firstPayday: string | null;
}

/** Settings that decide paydays. */
export interface PayrollCalendar {
  /** IANA name. */
  timeZone: string;
  schedule: PayrollSchedule | null;
  /** Currency of the company, whose banks decide which days are banking days (contract/bank-holidays.ts). */
  currency: Currency;
  /** Direction in which a payday moves if it is not a banking day. */
  paydayMoves: 'before' | 'after';
}

/** A payday: the day on which people are paid, and the day of the schedule if it was moved. */
export interface Payday {
  on: string;
  movedFrom: string | null;
}

/** The next `count` paydays after today in the company's time zone; none without a schedule. */
export function nextPaydays(calendar: PayrollCalendar, now: Date, count: number): Payday[] {
  return paydaysAfter(calendar, dayIn(calendar.timeZone, now), count);
}

/** The first `count` paydays after a day; none without a schedule. */
export function paydaysAfter(calendar: PayrollCalendar, day: string, count: number): Payday[] {
  const { schedule, currency, paydayMoves } = calendar;
  if (schedule === null) return [];
  const paydays: Payday[] = [];
  let scheduled = addDays(day, -LONGEST_MOVE_DAYS);
  while (paydays.length < count) {
    scheduled = nextScheduledDay(schedule, scheduled);
    const on =
      paydayMoves === 'before'
        ? bankingDayOnOrBefore(scheduled, currency)
        : bankingDayOnOrAfter(scheduled, currency);
    if (on > day) paydays.push({ on, movedFrom: on === scheduled ? null : scheduled });
  }
  return paydays;
}

/** True if a day is a payday of the schedule. */
export function isPayday(calendar: PayrollCalendar, day: string): boolean {
  return paydaysAfter(calendar, addDays(day, -1), 1)[0]?.on === day;
}

/** Longer than the time from any payday to the next one. */
const LONGEST_INTERVAL_DAYS = 31 + 2 * LONGEST_MOVE_DAYS;
/** More paydays than any schedule has within that time. */
const MOST_PAYDAYS = 8;

/** The last payday before a day; null without a schedule, and before its first payday. */
export function lastPaydayBefore(calendar: PayrollCalendar, day: string): string | null {
  const near = paydaysAfter(calendar, addDays(day, -LONGEST_INTERVAL_DAYS), MOST_PAYDAYS);
  return near.findLast(({ on }) => on < day)?.on ?? null;
}

/**
 * First day of the pay period of a day: the day after the last payday before it, or the first of
 * the month if there is none.
 */
export function payPeriodStart(calendar: PayrollCalendar, day: string): string {
  const before = lastPaydayBefore(calendar, day);
  return before === null ? `${day.slice(0, 7)}-01` : addDays(before, 1);
}

/**
 * First day on which a sent payroll counts for a payday: the middle between the previous payday and
 * this one. So a payroll that was sent some days early is not requested a second time.
 */
export function countsFrom(calendar: PayrollCalendar, payday: string): string {
  return middle(lastPaydayBefore(calendar, payday), payday);
}

function middle(before: string | null, payday: string): string {
  return addDays(payday, -Math.ceil(daysBetween(before ?? addDays(payday, -7), payday) / 2));
}

/**
 * The payday for which a payroll of a day counts: of the first payday from that day on and the one before it, the one
 * that `countsFrom` gives the day to. Null without a schedule.
 */
export function paydayOf(calendar: PayrollCalendar, day: string): string | null {
  const [next] = paydaysAfter(calendar, addDays(day, -1), 1);
  if (next === undefined) return null;
  const before = lastPaydayBefore(calendar, next.on);
  return middle(before, next.on) <= day ? next.on : before;
}

/** The first day of the schedule after a day, before any move to a banking day. */
function nextScheduledDay(schedule: PayrollSchedule, after: string): string {
  switch (schedule.frequency) {
    case 'weekly':
      return nextByWeeks(schedule.firstPayday ?? fridayAfter(after), 7, after);
    case 'biweekly':
      return nextByWeeks(firstPaydayOf(schedule), 14, after);
    case 'semimonthly':
      return nextOfMonth(schedule.days === '1_15' ? ['1', '15'] : ['15', 'last'], after);
    case 'monthly':
      return nextOfMonth([schedule.day ?? 'last'], after);
  }
}

function nextByWeeks(first: string, intervalDays: number, after: string): string {
  if (after < first) return first;
  return addDays(first, (Math.floor(daysBetween(first, after) / intervalDays) + 1) * intervalDays);
}

function firstPaydayOf({ firstPayday }: PayrollSchedule): string {
  return invariant(firstPayday, 'the table of settings requires it of a biweekly schedule');
}

function fridayAfter(day: string): string {
  const ahead = (FRIDAY - weekday(day) + 7) % 7;
  return addDays(day, ahead === 0 ? 7 : ahead);
}

function nextOfMonth(days: readonly ('1' | '15' | 'last')[], after: string): string {
  const inMonth = (month: string) => days.map((day) => dateOfPayday(month, day));
  const nextMonth = addMonths(`${after.slice(0, 7)}-01`, 1).slice(0, 7);
  const candidates = [...inMonth(after.slice(0, 7)), ...inMonth(nextMonth)];
  const next = candidates.filter((day) => day > after).toSorted()[0];
  return invariant(next, 'the days of the next month are later');
}

function dateOfPayday(month: string, payday: '1' | '15' | 'last'): string {
  if (payday === 'last') return addDays(addMonths(`${month}-01`, 1), -1);
  return `${month}-${payday.padStart(2, '0')}`;
}

/** Forms of a moment in a sentence: "Nov 26, 2026, 11:32 AM EST", and "Sat 4:42 AM EST" for one some days away. */
const FORMS = {
  date: { year: 'numeric', month: 'short', day: 'numeric' },
  weekday: { weekday: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Formatters by form and time zone: making one takes longer than all else about a row of a list. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment in the company's time zone, as a message names it. */
export function writeMoment(at: Date, timeZone: string, form: keyof typeof FORMS): string {
  const key = `${form} ${timeZone}`;
  const time = { timeZone, hour: 'numeric', minute: '2-digit' } as const;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...time, ...FORMS[form] });
  formats.set(key, format);
  const written = `${format.format(at).replaceAll('\u202f', ' ')} ${zoneName(at, timeZone)}`;
  return form === 'weekday' ? written.replace(',', '') : written;
}

/**
 * The moment of a time of day in a time zone; of a time that a change of clocks skips, an hour later.
 *
 * @param time four digits: `1345`
 */
export function momentIn(timeZone: string, day: string, time: string): Date {
  const asUtc = Date.parse(`${day}T${time.slice(0, 2)}:${time.slice(2)}:00Z`);
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  // The offset of the moment that is found first; near a change of clocks that of the right one.
  const offsetAt = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)));
}
