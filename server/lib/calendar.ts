/**
 * Calendar days as text, `2026-12-08`: a day has no time zone, so it never becomes a Date here
 * except inside these functions. Which day it is now is the company's to say.
 */

const DAY_MS = 86_400_000;
const FRIDAY = 5;
/** A payday of the biweekly schedule; the others lie whole fortnights from it. */
const BIWEEKLY_ANCHOR = '2026-01-09';

/** The day on which `at` falls in an IANA time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

export function addDays(day: string, count: number): string {
  return fromEpochDay(epochDay(day) + count);
}

/** How many days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return epochDay(to) - epochDay(from);
}

/** The `count`th day after `day` that is a Monday to Friday. Bank holidays count as any day. */
export function addBusinessDays(day: string, count: number): string {
  let current = day;
  for (let remaining = count; remaining > 0;) {
    current = addDays(current, 1);
    if (!isWeekend(current)) remaining -= 1;
  }
  return current;
}

/** What decides paydays; the company settings are one. */
export interface PayrollCalendar {
  /** IANA name. */
  timeZone: string;
  schedule: {
    frequency: 'weekly' | 'biweekly' | 'monthly';
    /** Day of the month of a monthly schedule; its last day when absent. */
    day: '1' | '15' | 'last' | null;
  } | null;
}

/**
 * The first payday after today in the company's time zone. Weekly schedules pay on Fridays,
 * biweekly ones every second Friday, monthly ones on their day. Without a schedule it is the next
 * Friday, 1 to 7 days ahead (spec, section 9).
 */
export function nextPayrollDate(settings: PayrollCalendar, now: Date): string {
  const today = dayIn(settings.timeZone, now);
  const { schedule } = settings;
  if (schedule?.frequency === 'monthly') return nextMonthlyDate(today, schedule.day ?? 'last');
  const friday = nextFriday(today);
  if (schedule?.frequency !== 'biweekly') return friday;
  return daysBetween(BIWEEKLY_ANCHOR, friday) % 14 === 0 ? friday : addDays(friday, 7);
}

function nextFriday(today: string): string {
  const ahead = (FRIDAY - weekday(today) + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

function nextMonthlyDate(today: string, payday: '1' | '15' | 'last'): string {
  const thisMonth = dateOfPayday(today.slice(0, 7), payday);
  return thisMonth > today ? thisMonth : dateOfPayday(nextMonth(today), payday);
}

function dateOfPayday(month: string, payday: '1' | '15' | 'last'): string {
  if (payday === 'last') return addDays(`${nextMonth(`${month}-01`)}-01`, -1);
  return `${month}-${payday.padStart(2, '0')}`;
}

/** The month after the one `day` is in, as `2026-12`: day 1 and 31 days lie in the next. */
function nextMonth(day: string): string {
  return addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7);
}

function isWeekend(day: string): boolean {
  const number = weekday(day);
  return number === 0 || number === 6;
}

/** 0 is Sunday. */
function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function epochDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function fromEpochDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
