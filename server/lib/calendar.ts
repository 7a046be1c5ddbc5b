import { addDays, dayIn, daysBetween, weekday } from '#contract/calendar.ts';

const FRIDAY = 5;
/** A payday of the biweekly schedule; the others lie whole fortnights from it. */
const BIWEEKLY_ANCHOR = '2026-01-09';

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
 * Friday, 1 to 7 days ahead.
 */
export function nextPayrollDate(settings: PayrollCalendar, now: Date): string {
  const today = dayIn(settings.timeZone, now);
  const { schedule } = settings;
  if (schedule?.frequency === 'monthly') return nextMonthlyDate(today, schedule.day ?? 'last');
  const friday = nextFriday(today);
  if (schedule?.frequency !== 'biweekly') return friday;
  return daysBetween(BIWEEKLY_ANCHOR, friday) % 14 === 0 ? friday : addDays(friday, 7);
}

/** The next `count` paydays after today; none without a schedule. */
export function nextPaydays(calendar: PayrollCalendar, now: Date, count: number): string[] {
  const days: string[] = [];
  if (calendar.schedule === null) return days;
  for (let from = now; days.length < count;) {
    const day = nextPayrollDate(calendar, from);
    days.push(day);
    from = duringDay(day);
  }
  return days;
}

/** A moment of a day: in the evening of UTC it is the same day in every zone of TIME_ZONES. */
export function duringDay(day: string): Date {
  return new Date(`${day}T18:00:00Z`);
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
