import { keysOf } from './keys.ts';

/**
 * Time zones that a company can have: four of the United States, London, and the capitals of the euro area. Each has its
 * IANA name and the words of its choice, with its time in winter. Free of zod.
 */
const ZONES = {
  est: ['America/New_York', 'Eastern (EST)'],
  cst: ['America/Chicago', 'Central (CST)'],
  mst: ['America/Denver', 'Mountain (MST)'],
  pst: ['America/Los_Angeles', 'Pacific (PST)'],
  london: ['Europe/London', 'London (UTC+0)'],
  dublin: ['Europe/Dublin', 'Dublin (UTC+0)'],
  lisbon: ['Europe/Lisbon', 'Lisbon (UTC+0)'],
  amsterdam: ['Europe/Amsterdam', 'Amsterdam (UTC+1)'],
  berlin: ['Europe/Berlin', 'Berlin (UTC+1)'],
  bratislava: ['Europe/Bratislava', 'Bratislava (UTC+1)'],
  brussels: ['Europe/Brussels', 'Brussels (UTC+1)'],
  ljubljana: ['Europe/Ljubljana', 'Ljubljana (UTC+1)'],
  luxembourg: ['Europe/Luxembourg', 'Luxembourg (UTC+1)'],
  madrid: ['Europe/Madrid', 'Madrid (UTC+1)'],
  paris: ['Europe/Paris', 'Paris (UTC+1)'],
  rome: ['Europe/Rome', 'Rome (UTC+1)'],
  valletta: ['Europe/Malta', 'Valletta (UTC+1)'],
  vienna: ['Europe/Vienna', 'Vienna (UTC+1)'],
  zagreb: ['Europe/Zagreb', 'Zagreb (UTC+1)'],
  athens: ['Europe/Athens', 'Athens (UTC+2)'],
  helsinki: ['Europe/Helsinki', 'Helsinki (UTC+2)'],
  nicosia: ['Asia/Nicosia', 'Nicosia (UTC+2)'],
  riga: ['Europe/Riga', 'Riga (UTC+2)'],
  sofia: ['Europe/Sofia', 'Sofia (UTC+2)'],
  tallinn: ['Europe/Tallinn', 'Tallinn (UTC+2)'],
  vilnius: ['Europe/Vilnius', 'Vilnius (UTC+2)'],
} as const satisfies Record<string, readonly [name: string, label: string]>;
export type TimeZoneId = keyof typeof ZONES;
export const TIME_ZONE_IDS = keysOf(ZONES);

export const TIME_ZONE_LABELS = Object.fromEntries(
  TIME_ZONE_IDS.map((id) => [id, ZONES[id][1]]),
) as Record<TimeZoneId, string>;

/** IANA name of a time zone. */
export function zoneOf(id: TimeZoneId): string {
  return ZONES[id][0];
}

/** Formatters by zone: making one takes half a millisecond. */
const nameFormats = new Map<string, Intl.DateTimeFormat>();

/** Name of a time zone at a moment: "EST", "CEST", "GMT+9". American English has none for the zones of Europe. */
export function zoneName(at: Date, timeZone: string): string {
  let format = nameFormats.get(timeZone);
  if (format === undefined) {
    const locale = /^Europe|^Asia\/Nicosia$/.test(timeZone) ? 'en-GB' : 'en-US';
    format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
    nameFormats.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName');
  return name?.value ?? timeZone;
}
