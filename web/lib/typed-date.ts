import { numberText } from '#contract/typed.ts';
import { formatDay } from './format.ts';

/** `03/14/2030`, also with dashes or dots between, and with single digits. */
const AMERICAN = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
/** `2030-03-14`, as date pickers and scripts write it. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * The calendar day a person typed, as `2030-03-14`; undefined for what is none. The one rule: the month comes first,
 * or the year. A day that comes first is never converted: it is refused if the month would not exist, and
 * {@link typedDateWords} says how the rest is read.
 */
export function parseTypedDate(typed: string): string | undefined {
  const text = dateText(typed);
  const american = AMERICAN.exec(text);
  if (american !== null) return dayOf(american[3], american[1], american[2]);
  const iso = ISO.exec(text);
  return iso === null ? undefined : dayOf(iso[1], iso[2], iso[3]);
}

/**
 * The day that a text is read as, in words, to be shown before it counts: "Wednesday, March 4, 2026". Where the
 * numbers could also be meant the other way round, it says which one is the month. Undefined for what is no day.
 */
export function typedDateWords(typed: string): string | undefined {
  const day = parseTypedDate(typed);
  if (day === undefined) return undefined;
  const [, month = '', date = ''] = AMERICAN.exec(dateText(typed)) ?? [];
  const isAmbiguous = month !== '' && Number(date) <= 12 && Number(month) !== Number(date);
  return `${formatDay(day, 'long')}${isAmbiguous ? ' (month first)' : ''}`;
}

/** Why a text is no calendar day; nothing where it is one. */
export function typedDateProblem(typed: string): string | undefined {
  const text = dateText(typed);
  if (parseTypedDate(text) !== undefined) return undefined;
  const [, month = '', date = '', year = ''] = AMERICAN.exec(text) ?? [];
  const turned = dayOf(year, date, month);
  if (month !== '' && Number(month) > 12 && turned !== undefined) {
    return `Enter the month first: ${typedDate(turned)}`;
  }
  const isWritten = ISO.test(text) || (month !== '' && Number(month) <= 12);
  return isWritten ? 'This day does not exist' : 'Enter a date as MM/DD/YYYY';
}

/** Dots may be followed by spaces: "31. 12. 2026". */
function dateText(typed: string): string {
  return numberText(typed).replaceAll(/([/.-]) +/g, '$1');
}

function dayOf(year = '', month = '', day = ''): string | undefined {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (year === '0000' || Number.isNaN(date.getTime())) return undefined;
  // February 30 would have become March 2.
  return date.toISOString().startsWith(written) ? written : undefined;
}

/** A calendar day as a person types it here: `2030-03-14` is "03/14/2030". */
export function typedDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}
