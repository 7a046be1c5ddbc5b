import { addDays } from '#contract/calendar.ts';

/**
 * Calendars of whole days, by RFC 5545. A day has no time zone, so the difficult parts of the
 * format are not needed, and reading a library would take longer than this code.
 */

/** An event of whole days. */
export interface CalendarEvent {
  /** Stable at each reading, and unique worldwide. */
  uid: string;
  /** The first and the last day, `2026-12-11`. */
  from: string;
  to: string;
  /** Text, which is escaped here. */
  summary: string;
}

interface Calendar {
  /** Name of the calendar, unless the person renames it. */
  name: string;
  /** Creation time; the output is the same as long as this and the events are. */
  madeAt: Date;
  events: readonly CalendarEvent[];
}

/** Octets of a line, without its end (RFC 5545, 3.1). */
const LINE_OCTETS = 75;

/** Text of a calendar, text/calendar. Programs are asked to read it twice a day (RFC 7986, 5.7). */
export function writeCalendar({ name, madeAt, events }: Calendar): string {
  const stamp = `${madeAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Purser//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
    ...events.flatMap(({ uid, from, to, summary }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${dateOf(from)}`,
      // The day after the last (3.6.1).
      `DTEND;VALUE=DATE:${dateOf(addDays(to, 1))}`,
      `SUMMARY:${escapeText(summary)}`,
      'CLASS:PRIVATE',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('');
}

/** A text as a value (3.3.11). */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}

/**
 * Splits a line into pieces of at most 75 octets, each next one after a space; no character is cut
 * in two.
 */
function foldLine(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (octets + more > LINE_OCTETS) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += character;
    octets += more;
  }
  return [...pieces, piece].join('\r\n');
}

function dateOf(day: string): string {
  return day.replaceAll('-', '');
}
