import { addDays } from '#contract/calendar.ts';

/** Calendar days, both included; '' is open. */
export interface Days {
  from: string;
  to: string;
}

/** Whole months, from the first of one to before the first of another; null is open. */
export interface Months extends Days {
  first: string | null;
  before: string | null;
}

/** The whole months within some days, if there is any, and the days that are left before and after. */
export function splitIntoMonths({ from, to }: Days): { months: Months | null; rest: Days[] } {
  const first = from === '' ? null : firstNotBefore(from);
  const end = to === '' ? null : addDays(to, 1);
  const before = end === null ? null : `${end.slice(0, 'yyyy-mm'.length)}-01`;
  if (first !== null && before !== null && first >= before)
    return { months: null, rest: [{ from, to }] };
  const months = {
    ...{ first, before },
    from: first ?? '',
    to: before === null ? '' : addDays(before, -1),
  };
  const rest: Days[] = [];
  if (first !== null && first !== from) rest.push({ from, to: addDays(first, -1) });
  if (before !== null && before !== end) rest.push({ from: before, to });
  return { months, rest };
}

/** The first of the month that a day is, or of the next one. */
function firstNotBefore(day: string): string {
  if (day.endsWith('-01')) return day;
  const inNext = addDays(`${day.slice(0, 'yyyy-mm'.length)}-01`, 31);
  return `${inNext.slice(0, 'yyyy-mm'.length)}-01`;
}
