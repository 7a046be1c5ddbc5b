import { isoReasonOf } from '#contract/iso-reasons.ts';
import type { Currency } from '#contract/money.ts';
import { MAX_RETURN_ENTRIES } from '#contract/returns.ts';
import { AppError } from '#server/lib/errors.ts';
import { entryStatusOf, isoReference } from '#server/lib/iso20022.ts';
import { xmlAll, xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import {
  amountOf,
  bankNameOf,
  bankReferenceOf,
  checkCurrency,
  countAt,
  headerDay,
  partyNameOf,
  refused,
  sumAt,
} from './answers.ts';
import type { IsoAnswer, IsoAnswers } from './answers.ts';

/** Elements around the entries of the message. */
export const CAMT054_PATH = ['Document', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'];

/** Family of bank transaction codes of payments that came back (ISO 20022 bank transaction codes, `PMNT`). */
const RETURN_FAMILY = 'RRTN';

/** Number and sum of the entries of a notification. */
interface Sums {
  count: number;
  totalMinor: bigint;
}

/** Source of the elements: ISO 20022 message definitions, "BankToCustomerDebitCreditNotification". */
interface Notification {
  path: string;
  summary: XmlElement | undefined;
  entryCount: number;
  /** Sums of credits and of debits. */
  ofIndicator: Record<'CRDT' | 'DBIT', Sums>;
  bankName: string | null;
}

/**
 * Reads a debit and credit notification (camt.054). Booked payments that came back are its answers: those with a return
 * reason, and those whose bank transaction code says so. All others are left out. Counts and sums are compared.
 */
export class DebitCreditNotification {
  readonly #currency: Currency;
  #header: XmlElement | undefined;
  readonly #notifications = new Map<XmlElement, Notification>();
  readonly #answers: IsoAnswer[] = [];

  constructor(currency: Currency) {
    this.#currency = currency;
  }

  /** Takes an element of the message. @throws {IsoFault} @throws {AppError} `return_file_too_large` */
  add(parents: readonly XmlElement[], element: XmlElement): void {
    if (element.name === 'GrpHdr') this.#header = element;
    const [, , owner] = parents;
    if (owner === undefined) return;
    const notification = this.#notifications.get(owner) ?? {
      path: `Ntfctn[${this.#notifications.size + 1}]`,
      summary: undefined,
      entryCount: 0,
      bankName: null,
      ofIndicator: { CRDT: { count: 0, totalMinor: 0n }, DBIT: { count: 0, totalMinor: 0n } },
    };
    this.#notifications.set(owner, notification);
    if (element.name === 'Acct') notification.bankName = bankNameOf(xmlAt(element, 'Svcr'));
    if (element.name === 'TxsSummry') notification.summary = element;
    if (element.name === 'Ntry') this.#addEntry(element, notification);
    if (this.#answers.length > MAX_RETURN_ENTRIES) throw new AppError('return_file_too_large');
  }

  /** @throws {IsoFault} */
  end(root: XmlElement): IsoAnswers {
    if (this.#header === undefined) throw refused(root, 'GrpHdr', 'it is missing');
    for (const notification of this.#notifications.values()) checkSummary(notification);
    return {
      bankName:
        [...this.#notifications.values()].find(({ bankName }) => bankName !== null)?.bankName ??
        null,
      madeOn: headerDay(this.#header),
      original: null,
      answers: this.#answers,
      claims: [],
    };
  }

  #addEntry(entry: XmlElement, notification: Notification): void {
    notification.entryCount += 1;
    const path = `${notification.path}/Ntry[${notification.entryCount}]`;
    const indicator = indicatorOf(entry, path);
    const amount = xmlAt(entry, 'Amt');
    if (amount === undefined) throw refused(entry, `${path}/Amt`, 'it is missing');
    const minor = amountOf(amount, `${path}/Amt`);
    const sums = notification.ofIndicator[indicator];
    sums.count += 1;
    sums.totalMinor += minor;
    const status = entryStatusOf(entry);
    if (status === null) throw refused(entry, `${path}/Sts`, 'it is not BOOK, PDNG, INFO or FUTR');
    const details = xmlAll(entry, 'NtryDtls');
    const payments = details.flatMap((one) => xmlAll(one, 'TxDtls'));
    const amounts = payments.map((payment, index) =>
      paymentAmount(payment, {
        path: `${path}/NtryDtls/TxDtls[${index + 1}]`,
        currency: amount.attributes['Ccy'],
      }),
    );
    // A payment of an entry may go the other way: its own indicator counts.
    const indicators = payments.map((payment, index) =>
      xmlAt(payment, 'CdtDbtInd') === undefined
        ? indicator
        : indicatorOf(payment, `${path}/NtryDtls/TxDtls[${index + 1}]`),
    );
    const signed = amounts.map((own, index) =>
      own === null || indicators[index] === indicator ? own : -own,
    );
    checkBatch(entry, { path, details, amounts: signed, minor });
    if (status !== 'booked') return;
    const isReturn = xmlText(entry, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') === RETURN_FAMILY;
    if (payments.length === 0 && isReturn) {
      checkCurrency(amount, `${path}/Amt`, this.#currency);
      const place = { line: entry.line, element: path };
      const at = { place, indicator, minor };
      this.#answers.push(answerOf(entry, at));
    }
    for (const [index, payment] of payments.entries()) {
      const paymentPath = `${path}/NtryDtls/TxDtls[${index + 1}]`;
      const isReturned =
        isReturn ||
        xmlAt(payment, 'RtrInf') !== undefined ||
        xmlText(payment, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') === RETURN_FAMILY;
      if (!isReturned) continue;
      checkCurrency(amount, `${path}/Amt`, this.#currency);
      const own = amounts[index] ?? (payments.length === 1 ? minor : null);
      if (own === null) throw refused(payment, `${paymentPath}/Amt`, 'it is missing');
      this.#answers.push(
        answerOf(payment, {
          place: { line: payment.line, element: paymentPath },
          indicator: indicators[index] ?? indicator,
          minor: own,
        }),
      );
    }
  }
}

/**
 * Amount of a payment in the currency of its entry: `Amt` since version 3, before in its details. Null where only the entry
 * has it.
 */
function paymentAmount(
  payment: XmlElement,
  { path, currency }: { path: string; currency: string | undefined },
): bigint | null {
  const amount = [xmlAt(payment, 'Amt'), xmlAt(payment, 'AmtDtls', 'TxAmt', 'Amt')].find(
    (one) => one?.attributes['Ccy'] === currency,
  );
  return amount === undefined ? null : amountOf(amount, `${path}/Amt`);
}

/** @param of the payment, or an entry without payments */
function answerOf(
  of: XmlElement,
  {
    place,
    indicator,
    minor,
  }: { place: IsoAnswer['place']; indicator: 'CRDT' | 'DBIT'; minor: bigint },
): IsoAnswer {
  const reference = (name: string) => isoReference(xmlText(of, 'Refs', name));
  const parties = xmlAt(of, 'RltdPties');
  return {
    place,
    of: {
      kind: 'payment',
      paymentInfoId: reference('PmtInfId'),
      instructionId: reference('InstrId'),
      endToEndId: reference('EndToEndId'),
    },
    code: isoReasonOf(xmlText(of, 'RtrInf', 'Rsn', 'Cd')),
    amountMinor: minor,
    bankReference: bankReferenceOf([
      xmlText(of, 'Refs', 'AcctSvcrRef'),
      xmlText(of, 'AcctSvcrRef'),
      xmlText(of, 'Refs', 'TxId'),
    ]),
    receiver: partyNameOf(parties && xmlAt(parties, 'Cdtr')),
    isCredit: indicator === 'CRDT',
  };
}

function indicatorOf(element: XmlElement, path: string): 'CRDT' | 'DBIT' {
  const indicator = xmlText(element, 'CdtDbtInd');
  if (indicator === 'CRDT' || indicator === 'DBIT') return indicator;
  throw refused(element, `${path}/CdtDbtInd`, 'it is not CRDT or DBIT');
}

/** @throws {IsoFault} if an entry counts other payments than it has, or they do not add up to it */
function checkBatch(
  entry: XmlElement,
  {
    path,
    details,
    amounts,
    minor,
  }: {
    path: string;
    details: readonly XmlElement[];
    amounts: readonly (bigint | null)[];
    minor: bigint;
  },
): void {
  const counts = details.flatMap((one) => {
    const batch = xmlAt(one, 'Btch');
    return (batch && countAt(batch, 'NbOfTxs', `${path}/NtryDtls/Btch`)) ?? [];
  });
  const counted = counts.reduce((sum, one) => sum + one, 0);
  if (counts.length > 0 && amounts.length > 0 && counted !== amounts.length) {
    const why = `it counts ${counted} payments and has ${amounts.length}`;
    throw refused(entry, `${path}/NtryDtls/Btch/NbOfTxs`, why);
  }
  const known = amounts.filter((one) => one !== null);
  const isWhole = known.length > 0 && known.length === amounts.length;
  // Charges that a bank takes off the whole are in the entry's amount and in none of its payments.
  if (!isWhole || xmlAt(entry, 'Chrgs') !== undefined) return;
  if (known.reduce((sum, one) => sum + one, 0n) !== minor) {
    throw refused(entry, `${path}/NtryDtls`, 'its payments do not add up to its amount');
  }
}

/** @throws {IsoFault} if the summary of a notification is not that of its entries */
function checkSummary({ path, summary, ofIndicator: { CRDT, DBIT } }: Notification): void {
  if (summary === undefined) return;
  const all = { count: CRDT.count + DBIT.count, totalMinor: CRDT.totalMinor + DBIT.totalMinor };
  for (const [name, sums] of [
    ['TtlNtries', all],
    ['TtlCdtNtries', CRDT],
    ['TtlDbtNtries', DBIT],
  ] as const) {
    const claimed = xmlAt(summary, name);
    if (claimed === undefined) continue;
    const place = `${path}/TxsSummry/${name}`;
    const count = countAt(claimed, 'NbOfNtries', place) ?? sums.count;
    const totalMinor = sumAt(claimed, 'Sum', place) ?? sums.totalMinor;
    if (count !== sums.count) {
      const why = `it counts ${count} entries and has ${sums.count}`;
      throw refused(claimed, `${place}/NbOfNtries`, why);
    }
    if (totalMinor !== sums.totalMinor) {
      throw refused(claimed, `${place}/Sum`, 'it is not the sum of the entries');
    }
  }
}
