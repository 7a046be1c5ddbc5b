import { MAX_AMOUNT_MINOR } from '#contract/money.ts';
import { dayOf, ISO_DAY } from '#contract/typed-day.ts';
import { xmlText } from './xml.ts';
import type { XmlElement } from './xml.ts';

/* Parts that bank messages of ISO 20022 have in common. Source: ISO 20022 message definitions. */

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt|acmt|pain|pacs)\.(\d{3})\.\d{3}\.(\d{2})$/;

/** Words for the statuses of an entry of an account. */
const ENTRY_STATUSES = {
  BOOK: 'booked',
  PDNG: 'pending',
  INFO: 'for information',
  FUTR: 'in the future',
} as const;

/** Reference of a payment that has none. */
const NO_REFERENCE = 'NOTPROVIDED';

/** Name and version of a message by the namespace of its root: `camt.053` and 8. Null for what is no such message. */
export function isoMessageOf(root: XmlElement): { name: string; version: number } | null {
  const declared = Object.entries(root.attributes).find(
    ([name, value]) => /^xmlns(?::|$)/.test(name) && NAMESPACE.test(value),
  );
  const [, area, number, version] = NAMESPACE.exec(declared?.[1] ?? '') ?? [];
  if (root.name !== 'Document' || area === undefined) return null;
  return { name: `${area}.${number}`, version: Number(version) };
}

/**
 * Minor units of an amount with a point or none and no sign, as ISO 20022 and OFX write it: `8.85`, `.50`. Behind the
 * second decimal are zeros alone (`8.85000`), of which ISO 20022 allows three; they carry no value.
 *
 * @returns null for what is none of these, or more than `MAX_AMOUNT_MINOR`
 */
export function plainAmount(written: string): bigint | null {
  const match = /^(?=\.?\d)0*(\d{0,12})(?:\.(\d{0,2})0{0,3})?$/.exec(written);
  if (match === null) return null;
  const minor = BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(2, '0'));
  return minor > MAX_AMOUNT_MINOR ? null : minor;
}

/** The day of a date, or of a moment as the bank wrote it, whatever its offset: `2026-12-08`. Null for what is none. */
export function isoDay(written: string | null): string | null {
  const start = written?.slice(0, 10) ?? '';
  const [, year, month, day] = ISO_DAY.exec(start) ?? [];
  return dayOf(year, month, day) === start ? start : null;
}

/** A reference without the word for none. */
export function isoReference(written: string | null): string | null {
  return written === NO_REFERENCE ? null : written;
}

/** Status of an entry of an account, in words; only booked ones count. Null for one that ISO 20022 does not have. */
export function entryStatusOf(
  entry: XmlElement,
): (typeof ENTRY_STATUSES)[keyof typeof ENTRY_STATUSES] | null {
  const code = xmlText(entry, 'Sts', 'Cd') ?? xmlText(entry, 'Sts');
  const found = Object.entries(ENTRY_STATUSES).find(([name]) => name === code);
  return found?.[1] ?? null;
}
