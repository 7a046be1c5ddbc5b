import type { IsoReason } from '#contract/iso-reasons.ts';
import type { Currency } from '#contract/money.ts';
import { isoDay, isoReference, plainAmount } from '#server/lib/iso20022.ts';
import { xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';

/** Answers of a bank to payments of a company, in the terms that pain.002 and camt.054 share. No database. */

/** Place in a message: `{ line: 12, element: 'OrgnlPmtInfAndSts[1]/TxInfAndSts[3]/TxSts' }`. */
export interface IsoPlace {
  /** Line of the start tag, from 1. */
  line: number;
  /** Path below the message; null where the XML itself is wrong. */
  element: string | null;
}

/** A message that is refused. `why` quotes references, statuses and amounts, and neither names nor account numbers. */
export class IsoFault extends Error {
  readonly place: IsoPlace;
  readonly why: string;

  constructor(place: IsoPlace, why: string) {
    const { line, element } = place;
    super(`Line ${line}${element === null ? '' : `, ${element}`}: ${why}`);
    this.name = 'IsoFault';
    this.place = place;
    this.why = why;
  }
}

/** Payments that something is said of: all of a message, those of a batch, or one by the references that it had. */
export type IsoScope =
  | { kind: 'all' }
  | { kind: 'batch'; paymentInfoId: string }
  | {
      kind: 'payment';
      /** Batch that it was in; null where the message does not say it. */
      paymentInfoId: string | null;
      /** Our trace number and our reference; at most one of them is null. */
      instructionId: string | null;
      endToEndId: string | null;
    };

/** Payments that came back. */
export interface IsoAnswer {
  place: IsoPlace;
  of: IsoScope;
  code: IsoReason;
  /** Minor units; null where the message does not repeat it. */
  amountMinor: bigint | null;
  /** Reference of the bank; empty if it gave none. */
  bankReference: string;
  /** Name in the message; empty if it has none. */
  receiver: string;
  /** False where money was taken instead of given back. */
  isCredit: boolean;
}

/** A count or a sum that the message gives for our payments, or for those of them that came back. */
export interface IsoClaim {
  place: IsoPlace;
  of: Exclude<IsoScope, { kind: 'payment' }>;
  isOfReturned: boolean;
  count: number | null;
  totalMinor: bigint | null;
}

export interface IsoAnswers {
  /** Name of the bank in the message; null if it has none. */
  bankName: string | null;
  /** Day on which the bank made the message: `2026-12-08`. */
  madeOn: string;
  /** The message that it answers; null of a notification, which is about payments of any message. */
  original: { place: IsoPlace; messageId: string } | null;
  answers: IsoAnswer[];
  claims: IsoClaim[];
}

/** Longest name and reference that are kept. */
const MAX_NAME = 70;
const MAX_REFERENCE = 35;

export function refused({ line }: Pick<XmlElement, 'line'>, path: string, why: string): IsoFault {
  return new IsoFault({ line, element: path }, why);
}

/** @throws {IsoFault} for a header without a day */
export function headerDay(header: XmlElement): string {
  const day = isoDay(xmlText(header, 'CreDtTm'));
  if (day === null) throw refused(header, 'GrpHdr/CreDtTm', 'it is not a day');
  return day;
}

/** Name of a bank, or its BIC. @param bank an element that contains `FinInstnId` */
export function bankNameOf(bank: XmlElement | undefined): string | null {
  const institution = bank && xmlAt(bank, 'FinInstnId');
  if (institution === undefined) return null;
  const name =
    xmlText(institution, 'Nm') ?? xmlText(institution, 'BICFI') ?? xmlText(institution, 'BIC');
  return name && oneLine(name).slice(0, MAX_NAME);
}

/** Name of a party, which is one of two kinds since version 8. */
export function partyNameOf(party: XmlElement | undefined): string {
  const name = party && (xmlText(party, 'Nm') ?? xmlText(party, 'Pty', 'Nm'));
  return oneLine(name ?? '').slice(0, MAX_NAME);
}

/** The first of these references. */
export function bankReferenceOf(references: readonly (string | null)[]): string {
  const found = references.find((one) => isoReference(one) !== null);
  return oneLine(found ?? '').slice(0, MAX_REFERENCE);
}

function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** @throws {IsoFault} for an amount in another currency than the company pays in */
export function checkCurrency(amount: XmlElement, path: string, currency: Currency): void {
  const written = amount.attributes['Ccy'] ?? '';
  if (written === currency) return;
  throw refused(amount, path, `it is in “${written}”, and the company pays in ${currency}`);
}

/** Minor units of an element. @throws {IsoFault} for what is no amount with at most two decimals */
export function amountOf(amount: XmlElement, path: string): bigint {
  const minor = plainAmount(amount.text);
  if (minor === null) {
    const quoted = amount.text.slice(0, 40);
    throw refused(amount, path, `“${quoted}” is not an amount with at most two decimals`);
  }
  return minor;
}

/** A count of payments; null where there is none. @throws {IsoFault} */
export function countAt(parent: XmlElement, name: string, path: string): number | null {
  const found = xmlAt(parent, name);
  if (found === undefined) return null;
  if (!/^\d{1,15}$/.test(found.text)) {
    throw refused(found, `${path}/${name}`, `“${found.text.slice(0, 40)}” is not a count`);
  }
  return Number(found.text);
}

/** A sum in minor units; null where there is none. Banks write zeros behind its cents. @throws {IsoFault} */
export function sumAt(parent: XmlElement, name: string, path: string): bigint | null {
  const found = xmlAt(parent, name);
  if (found === undefined) return null;
  const sum = plainAmount(found.text.replace(/(\.\d*?)0+$/, '$1'));
  if (sum === null) {
    throw refused(found, `${path}/${name}`, `“${found.text.slice(0, 40)}” is not a sum`);
  }
  return sum;
}
