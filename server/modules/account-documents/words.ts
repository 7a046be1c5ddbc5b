import type { AccountDocument } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { zoneName } from '#contract/time-zones.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { legalNameOf } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

export type Cell = AccountDocument['tables'][number]['rows'][number][number];
export type Fact = AccountDocument['facts'][number][number];
export type DocumentTable = AccountDocument['tables'][number];

/** Columns of amounts, each with its description and the reference of its posting. */
export const ENTRY_COLUMNS: DocumentTable['columns'] = [
  { label: 'Description', kind: 'text' },
  { label: 'Reference', kind: 'code' },
  { label: 'Amount', kind: 'amount' },
];

/** Date formats in documents, as on screen. */
const LOOKS = {
  /** "Dec 8" */
  short: { month: 'short', day: 'numeric' },
  /** "Dec 8, 2026" */
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  /** "December 8, 2026" */
  long: { month: 'long', day: 'numeric', year: 'numeric' },
  /** "December 2026" */
  month: { month: 'long', year: 'numeric' },
  /** "Dec 8, 2026, 10:03 AM EST": a document names the time zone. */
  moment: { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
type Look = keyof typeof LOOKS;

/** Cached by look and zone, because creating one takes half a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes a moment in a time zone, given by its IANA name. */
export function writeMoment(at: Date, look: Look, timeZone: string): string {
  const key = `${look} ${timeZone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { ...LOOKS[look], timeZone });
    formats.set(key, format);
  }
  // Some versions separate the hour from AM with U+202F.
  const written = format.format(at).replaceAll('\u202F', ' ');
  return look === 'moment' ? `${written} ${zoneName(at, timeZone)}` : written;
}

/** Writes a calendar day, `2026-12-08`, which is the same in every zone. */
export function writeDay(day: string, look: Look): string {
  return writeMoment(new Date(`${day}T00:00:00Z`), look, 'UTC');
}

/** An amount. A negative one has its sign; with `signed` a positive one has it, too. */
export function amountCell(minor: bigint, currency: Currency, signed?: 'signed'): Cell {
  return { amount: money(minor, currency), isSigned: signed === 'signed' };
}

/** "Salary Wallet ••7731" */
export function accountWords(type: WalletType, last4: string): string {
  return `${WALLET_LABELS[type]} ••${last4}`;
}

/** The company's name and address at the head of every document. */
export function companyHead(settings: CompanySettings) {
  return { name: legalNameOf(settings), address: settings.mailingAddress?.split('\n') ?? [] };
}

/** Number of days in which a person can report an error. */
const DISPUTE_DAYS = 60;

/** Contact for questions: the company's address for them, if it has set one. */
export function questionsLine({ supportEmail }: CompanySettings, since: string): string {
  const whom = supportEmail ?? 'your payroll administrator';
  return `Questions or disputes: ${whom}, within ${DISPUTE_DAYS} days of ${since}.`;
}

/** A fact, or nothing if its value is unknown. */
export function given(label: string, value: string | null): Fact[] {
  return value === null ? [] : [{ label, value }];
}
