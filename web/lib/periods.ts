import { addDays, addMonths } from '#contract/calendar.ts';

/** A span of days, `2026-12-08`, both included; '' is open. */
interface Days {
  from: string;
  to: string;
}

export interface Period extends Days {
  id: string;
  label: string;
}

/** The spans of days that people ask for most, as seen from today. The first is all time. */
export function periodsOf(today: string): readonly Period[] {
  const month = `${today.slice(0, 7)}-01`;
  const year = `${today.slice(0, 4)}-01-01`;
  const monthNumber = Number(today.slice(5, 7));
  const quarter = addMonths(year, monthNumber - 1 - ((monthNumber - 1) % 3));
  const before = (start: string, months: number) => ({
    from: addMonths(start, -months),
    to: addDays(start, -1),
  });
  const whole = (start: string, months: number) => ({
    from: start,
    to: addDays(addMonths(start, months), -1),
  });
  return [
    { id: 'all', label: 'All time', from: '', to: '' },
    { id: 'today', label: 'Today', from: today, to: today },
    { id: 'week', label: 'Last 7 days', from: addDays(today, -6), to: today },
    { id: 'month', label: 'This month', ...whole(month, 1) },
    { id: 'last-month', label: 'Last month', ...before(month, 1) },
    { id: 'days', label: 'Last 30 days', from: addDays(today, -29), to: today },
    { id: 'quarter', label: 'This quarter', ...whole(quarter, 3) },
    { id: 'last-quarter', label: 'Last quarter', ...before(quarter, 3) },
    { id: 'year', label: 'This year', ...whole(year, 12) },
    { id: 'last-year', label: 'Last year', ...before(year, 12) },
  ];
}

/** The period of these days; undefined where they are none of them. */
export function periodOf({ from, to }: Days, periods: readonly Period[]): Period | undefined {
  return periods.find((one) => one.from === from && one.to === to);
}
