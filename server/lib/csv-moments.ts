import { plainCell } from './csv.ts';
import type { CsvColumn } from './csv.ts';

/** Formats by time zone. Creating one takes half a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A moment in the company's time with its offset: `2026-11-30 21:15:04-05:00` (RFC 3339).
 *
 * @param timeZone an IANA name
 */
export function localMoment(timeZone: string, at: Date): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${part['year']}-${part['month']}-${part['day']}`;
  const time = `${part['hour']}:${part['minute']}:${part['second']}`;
  // `GMT-05:00`, or `GMT` alone in the zone of UTC.
  const offset = (part['timeZoneName'] ?? '').replace('GMT', '') || '+00:00';
  return `${day} ${time}${offset}`;
}

/** The same moment in UTC: `2026-12-01 02:15:04Z`. */
function utcMoment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/**
 * Two columns of an export, such as `Approved` and `Approved (UTC)`: the company's time and UTC.
 * Both are empty without a moment.
 */
export function momentColumns<Row, Scope extends { timeZone: string }>(
  header: string,
  read: (row: Row, scope: Scope) => Date | null,
): CsvColumn<Row, Scope>[] {
  return momentColumnsIn(header, read, ({ timeZone }) => timeZone);
}

/** The same for a list whose scope has the company's time zone elsewhere. */
export function momentColumnsIn<Row, Scope>(
  header: string,
  read: (row: Row, scope: Scope) => Date | null,
  timeZoneOf: (scope: Scope) => string,
): CsvColumn<Row, Scope>[] {
  const cellOf = (row: Row, scope: Scope, write: (at: Date) => string) => {
    const at = read(row, scope);
    return plainCell(at === null ? '' : write(at));
  };
  return [
    {
      header,
      cell: (row, scope) => cellOf(row, scope, (at) => localMoment(timeZoneOf(scope), at)),
    },
    { header: `${header} (UTC)`, cell: (row, scope) => cellOf(row, scope, utcMoment) },
  ];
}
