import { AMERICAN_DAY, dateText, dayOf, ISO_DAY, parseTypedDate } from '#contract/typed-day.ts';
import { formatDay } from './format.ts';

/**
 * The day that a text is read as, in words, to be shown before it counts: "Wednesday, March 4, 2026". Where the
 * numbers could also be meant the other way round, it says which one is the month. Undefined for what is no day.
 */
export function typedDateWords(typed: string): string | undefined {
  const day = parseTypedDate(typed);
  if (day === undefined) return undefined;
  const [, month = '', date = ''] = AMERICAN_DAY.exec(dateText(typed)) ?? [];
  const isAmbiguous = month !== '' && Number(date) <= 12 && Number(month) !== Number(date);
  return `${formatDay(day, 'long')}${isAmbiguous ? ' (month first)' : ''}`;
}

/** Why a text is no calendar day; nothing where it is one. */
export function typedDateProblem(typed: string): string | undefined {
  const text = dateText(typed);
  if (parseTypedDate(text) !== undefined) return undefined;
  const [, month = '', date = '', year = ''] = AMERICAN_DAY.exec(text) ?? [];
  const turned = dayOf(year, date, month);
  if (month !== '' && Number(month) > 12 && turned !== undefined) {
    return `Enter the month first: ${typedDate(turned)}`;
  }
  const isWritten = ISO_DAY.test(text) || (month !== '' && Number(month) <= 12);
  return isWritten ? 'This day does not exist' : 'Enter a date as MM/DD/YYYY';
}

/** A calendar day as a person types it here: `2030-03-14` is "03/14/2030". */
export function typedDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}
