/** Days as people type them, and as files write them. */
import { numberText } from './rules.ts';

/** `03/14/2030`, also with dashes or dots between, and with single digits. */
export const AMERICAN_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
/** `2030-03-14`, as date pickers and scripts write it. */
export const ISO_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/**
 * The calendar day a person typed, as `2030-03-14`; undefined for what is none. The one rule: the month comes first,
 * or the year. A day that comes first is never converted: it is refused if the month would not exist, and
 * `typedDateWords` of the web says how the rest is read.
 */
export function parseTypedDate(typed: string): string | undefined {
  const text = dateText(typed);
  const american = AMERICAN_DAY.exec(text);
  if (american !== null) return dayOf(american[3], american[1], american[2]);
  const iso = ISO_DAY.exec(text);
  return iso === null ? undefined : dayOf(iso[1], iso[2], iso[3]);
}

/** A typed day without unseen characters. Dots may be followed by spaces: "31. 12. 2026". */
export function dateText(typed: string): string {
  return numberText(typed).replaceAll(/([/.-]) +/g, '$1');
}

/** A day of its parts, as `2030-03-14`; undefined if it does not exist. */
export function dayOf(year = '', month = '', day = ''): string | undefined {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (year === '0000' || Number.isNaN(date.getTime())) return undefined;
  // February 30 would have become March 2.
  return date.toISOString().startsWith(written) ? written : undefined;
}
