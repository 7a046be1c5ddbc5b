/** `03/14/2030`, also with dashes or dots between, and with single digits. */
const AMERICAN = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
/** `2030-03-14`, as date pickers and scripts write it. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/** The calendar day a person typed, as `2030-03-14`; undefined for what is none. */
export function parseTypedDate(typed: string): string | undefined {
  const text = typed.trim();
  const american = AMERICAN.exec(text);
  if (american !== null) return dayOf(american[3], american[1], american[2]);
  const iso = ISO.exec(text);
  return iso === null ? undefined : dayOf(iso[1], iso[2], iso[3]);
}

/** Why a text is no calendar day; nothing where it is one. */
export function typedDateProblem(typed: string): string | undefined {
  const text = typed.trim();
  if (parseTypedDate(text) !== undefined) return undefined;
  const [, month = ''] = AMERICAN.exec(text) ?? [];
  const isWritten = ISO.test(text) || (month !== '' && Number(month) <= 12);
  return isWritten ? 'This day does not exist' : 'Enter a date as MM/DD/YYYY';
}

function dayOf(year = '', month = '', day = ''): string | undefined {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return undefined;
  // February 30 would have become March 2.
  return date.toISOString().startsWith(written) ? written : undefined;
}

/** A calendar day as a person types it here: `2030-03-14` is "03/14/2030". */
export function typedDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}
