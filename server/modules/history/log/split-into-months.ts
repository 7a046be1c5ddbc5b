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

/** Splits days into the whole months among them, if any, and the days before and after those. */
export function splitIntoMonths({ from, to }: Days): { months: Months | null; rest: Days[] } {
  const first = from === '' ? null : firstNotBefore(from);
  const end = to === '' ? null : addDays(to, 1);
  const before = end === null ? null : `${end.slice(0, 'yyyy-mm'.length)}-01`;
  if (first !== null && before !== null && first >= before)
    return { months: null, rest: [{ from, to }] };
  const months = {
    first,
    before,
    from: first ?? '',
    to: before === null ? '' : addDays(before, -1),
  };
  const rest: Days[] = [];
  if (first !== null && first !== from) rest.push({ from, to: addDays(first, -1) });
  if (before !== null && before !== end) rest.push({ from: before, to });
  return { months, rest };
}

/** The day itself if it is the first of a month, otherwise the first of the next month. */
function firstNotBefore(day: string): string {
  if (day.endsWith('-01')) return day;
  const inNext = addDays(`${day.slice(0, 'yyyy-mm'.length)}-01`, 31);
  return `${inNext.slice(0, 'yyyy-mm'.length)}-01`;
}
