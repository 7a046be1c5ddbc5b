import { isoReasonOf } from '#contract/iso-reasons.ts';
import type { IsoReason } from '#contract/iso-reasons.ts';
import type { Currency } from '#contract/money.ts';
import { MAX_RETURN_ENTRIES } from '#contract/returns.ts';
import { AppError } from '#server/lib/errors.ts';
import { isoReference } from '#server/lib/iso20022.ts';
import { xmlAll, xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import {
  amountOf,
  bankNameOf,
  bankReferenceOf,
  checkCurrency,
  countAt,
  headerDay,
  IsoFault,
  partyNameOf,
  refused,
  sumAt,
} from './answers.ts';
import type { IsoAnswer, IsoAnswers, IsoClaim } from './answers.ts';

/** Elements around the payments of the message. */
export const PAIN002_PATH = ['Document', 'CstmrPmtStsRpt', 'OrgnlPmtInfAndSts'];

/** Statuses of payments that are not made: rejected, and cancelled at the company's request. */
const RETURNED = new Set(['RJCT', 'CANC']);
/** Statuses of a group whose payments differ. */
const MIXED = new Set(['PART']);
/** Statuses of payments that are made, or are not decided yet. */
const OPEN = new Set([
  'ACCC',
  'ACCP',
  'ACFC',
  'ACIS',
  'ACPD',
  'ACSC',
  'ACSP',
  'ACTC',
  'ACWC',
  'ACWP',
  'BLCK',
  'CPUC',
  'PATC',
  'PDNG',
  'PRES',
  'RCVD',
  // Verification of payee: answers about names, before anything is paid.
  'RCVC',
  'RVMC',
  'RVNA',
  'RVNM',
]);

interface Status {
  /** Null where the level says nothing. */
  code: string | null;
  /** Reason that the level gives; null if it gives none. */
  reason: IsoReason | null;
}

/** A batch with what the report says of it, as it is read. */
interface Batch {
  path: string;
  element: XmlElement;
  /** Its elements without those of payments. */
  parts: XmlElement[];
  payments: Payment[];
}

/**
 * Facts of a payment, in place of its element: a report has up to 100,000. A fault is thrown in its turn, once the levels
 * around it are known.
 */
interface Payment extends Pick<IsoAnswer, 'bankReference' | 'receiver'> {
  line: number;
  status: Status | IsoFault;
  instructionId: string | null;
  endToEndId: string | null;
  amountMinor: bigint | null | IsoFault;
}

/**
 * Reads a customer payment status report (pain.002) strictly. A status of a group holds for all its payments, so those
 * below must not contradict it (ISO 20022, pain.002, rules of the group, payment information and transaction status).
 * Source of the statuses: ISO 20022 external code sets, payment group status and payment transaction status.
 */
export class StatusReport {
  readonly #currency: Currency;
  #header: XmlElement | undefined;
  #group: XmlElement | undefined;
  readonly #batches = new Map<XmlElement, Batch>();
  /** Number of the payments of all batches. */
  #payments = 0;

  constructor(currency: Currency) {
    this.#currency = currency;
  }

  /** Takes an element of the message. @throws {AppError} `return_file_too_large` for more payments than a payout file has */
  add(parents: readonly XmlElement[], element: XmlElement): void {
    const [, , owner] = parents;
    if (owner !== undefined) {
      const path = `OrgnlPmtInfAndSts[${this.#batches.size + 1}]`;
      const batch = this.#batches.get(owner) ?? { path, element: owner, parts: [], payments: [] };
      this.#batches.set(owner, batch);
      if (element.name === 'TxInfAndSts') this.#addPayment(batch, element);
      else batch.parts.push(element);
    }
    if (element.name === 'GrpHdr') this.#header = element;
    if (element.name === 'OrgnlGrpInfAndSts') {
      if (this.#group !== undefined) throw refused(element, GROUP, 'a second one');
      this.#group = element;
    }
  }

  /** @throws {IsoFault} */
  end(root: XmlElement): IsoAnswers {
    const header = this.#header;
    if (header === undefined) throw refused(root, 'GrpHdr', 'it is missing');
    const group = this.#group;
    if (group === undefined) throw refused(root, GROUP, 'it is missing');
    const messageId = xmlText(group, 'OrgnlMsgId');
    if (messageId === null) throw refused(group, `${GROUP}/OrgnlMsgId`, 'it is missing');
    const answered = xmlText(group, 'OrgnlMsgNmId') ?? '';
    if (!answered.startsWith('pain.001')) {
      const why = `it answers “${answered.slice(0, 40)}”, not a payment order (pain.001)`;
      throw refused(group, `${GROUP}/OrgnlMsgNmId`, why);
    }
    const status = statusOf(group, GROUP, 'GrpSts');
    const ofBatches = [...this.#batches.values()].map((batch) => this.#readBatch(batch, status));
    const answers = ofBatches.flatMap((batch) => batch.answers);
    if (isReturned(status)) {
      answers.push({ ...wholeAnswer(group, GROUP, [status]), of: { kind: 'all' } });
    }
    return {
      bankName: bankNameOf(xmlAt(header, 'DbtrAgt')),
      madeOn: headerDay(header),
      original: {
        place: { line: group.line, element: `${GROUP}/OrgnlMsgId` },
        messageId,
      },
      answers,
      claims: [
        ...claimsOf(group, GROUP, { kind: 'all' }),
        ...ofBatches.flatMap((batch) => batch.claims),
      ],
    };
  }

  #addPayment({ path, payments }: Batch, element: XmlElement): void {
    this.#payments += 1;
    if (this.#payments > MAX_RETURN_ENTRIES) throw new AppError('return_file_too_large');
    payments.push(this.#paymentOf(element, `${path}/TxInfAndSts[${payments.length + 1}]`));
  }

  #paymentOf(element: XmlElement, path: string): Payment {
    const original = xmlAt(element, 'OrgnlTxRef');
    const amount = original && xmlAt(original, 'Amt', 'InstdAmt');
    return {
      line: element.line,
      status: orFault(() => statusOf(element, path, 'TxSts')),
      instructionId: isoReference(xmlText(element, 'OrgnlInstrId')),
      endToEndId: isoReference(xmlText(element, 'OrgnlEndToEndId')),
      amountMinor: orFault(() => {
        if (amount === undefined) return null;
        const amountPath = `${path}/OrgnlTxRef/Amt/InstdAmt`;
        checkCurrency(amount, amountPath, this.#currency);
        return amountOf(amount, amountPath);
      }),
      bankReference: bankReferenceOf([
        xmlText(element, 'AcctSvcrRef'),
        xmlText(element, 'ClrSysRef'),
        xmlText(element, 'StsId'),
      ]),
      receiver: partyNameOf(original && xmlAt(original, 'Cdtr')),
    };
  }

  #readBatch(
    { path, element, parts, payments }: Batch,
    ofGroup: Status,
  ): { answers: IsoAnswer[]; claims: IsoClaim[] } {
    const whole: XmlElement = { ...element, children: parts };
    const paymentInfoId = xmlText(whole, 'OrgnlPmtInfId');
    if (paymentInfoId === null) throw refused(element, `${path}/OrgnlPmtInfId`, 'it is missing');
    const status = statusOf(whole, path, 'PmtInfSts');
    checkStatus(status, ofGroup, { element, path: `${path}/PmtInfSts` });
    const around = status.code === null ? ofGroup : status;
    const answers = payments.flatMap((payment, index) =>
      answersOf(payment, {
        path: `${path}/TxInfAndSts[${index + 1}]`,
        paymentInfoId,
        levels: [around, ofGroup],
      }),
    );
    const of = { kind: 'batch', paymentInfoId } as const;
    if (isReturned(status)) answers.push({ ...wholeAnswer(element, path, [status, ofGroup]), of });
    return { answers, claims: claimsOf(whole, path, of) };
  }
}

/** The answer that a payment is; none if it is made or not decided. @throws {IsoFault} */
function answersOf(
  payment: Payment,
  {
    path,
    paymentInfoId,
    levels,
  }: { path: string; paymentInfoId: string; levels: readonly [Status, Status] },
): IsoAnswer[] {
  const [around] = levels;
  const status = unlessFault(payment.status);
  checkStatus(status, around, { element: payment, path: `${path}/TxSts` });
  const counts = status.code === null ? around : status;
  if (counts.code === null || MIXED.has(counts.code)) {
    throw refused(payment, `${path}/TxSts`, 'it is missing');
  }
  const { instructionId, endToEndId, bankReference, receiver } = payment;
  if (instructionId === null && endToEndId === null) {
    throw refused(payment, `${path}/OrgnlEndToEndId`, 'it is missing');
  }
  if (!RETURNED.has(counts.code)) return [];
  return [
    {
      ...wholeAnswer(payment, path, [{ ...status, code: counts.code }, ...levels]),
      of: { kind: 'payment', paymentInfoId, instructionId, endToEndId },
      amountMinor: unlessFault(payment.amountMinor),
      bankReference,
      receiver,
    },
  ];
}

/** Result of `read`, or the fault that it throws. */
function orFault<Fact>(read: () => Fact): Fact | IsoFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof IsoFault) return error;
    throw error;
  }
}

/** @throws {IsoFault} the one that reading a fact threw */
function unlessFault<Fact>(fact: Fact | IsoFault): Fact {
  if (fact instanceof IsoFault) throw fact;
  return fact;
}

const GROUP = 'OrgnlGrpInfAndSts';

function isReturned({ code }: Status): boolean {
  return code !== null && RETURNED.has(code);
}

/** @throws {IsoFault} for a status that is none */
function statusOf(element: XmlElement, path: string, name: string): Status {
  const code = xmlText(element, name);
  const isMixed = code !== null && MIXED.has(code) && name !== 'TxSts';
  if (code !== null && !RETURNED.has(code) && !OPEN.has(code) && !isMixed) {
    throw refused(
      xmlAt(element, name) ?? element,
      `${path}/${name}`,
      `“${code.slice(0, 40)}” is no status`,
    );
  }
  const reasons = xmlAll(element, 'StsRsnInf').flatMap((one) => xmlAt(one, 'Rsn') ?? []);
  const codes = reasons.map((one) => xmlText(one, 'Cd'));
  const [first] = codes;
  const listed = codes.find((one) => one !== null && isoReasonOf(one) !== 'NARR');
  return { code, reason: first === undefined ? null : isoReasonOf(listed ?? first) };
}

/** @throws {IsoFault} for a status that differs from the one around it, which holds for it too */
function checkStatus(
  { code }: Status,
  around: Status,
  { element, path }: { element: Pick<XmlElement, 'line'>; path: string },
): void {
  if (code === null || around.code === null || MIXED.has(around.code)) return;
  const isSame = !MIXED.has(code) && RETURNED.has(code) === RETURNED.has(around.code);
  if (!isSame) throw refused(element, path, `it is ${code}, and around it is ${around.code}`);
}

/** @param levels statuses from the payment outwards; the first reason counts */
function wholeAnswer(
  element: Pick<XmlElement, 'line'>,
  path: string,
  levels: readonly Status[],
): Omit<IsoAnswer, 'of'> {
  const reason = levels.find((one) => one.reason !== null)?.reason;
  return {
    place: { line: element.line, element: path },
    code: reason ?? (levels[0]?.code === 'CANC' ? 'DS02' : 'NARR'),
    amountMinor: null,
    bankReference: '',
    receiver: '',
    isCredit: true,
  };
}

/** Counts and sums of the original payments, and of those that came back. */
function claimsOf(element: XmlElement, path: string, of: IsoClaim['of']): IsoClaim[] {
  const place = (name: string) => ({ line: element.line, element: `${path}/${name}` });
  const perStatus = xmlAll(element, 'NbOfTxsPerSts').filter((one) =>
    RETURNED.has(xmlText(one, 'DtldSts') ?? ''),
  );
  const counts = perStatus.map((one) => countAt(one, 'DtldNbOfTxs', `${path}/NbOfTxsPerSts`));
  const sums = perStatus.map((one) => sumAt(one, 'DtldCtrlSum', `${path}/NbOfTxsPerSts`));
  return [
    {
      place: place('OrgnlNbOfTxs'),
      of,
      isOfReturned: false,
      totalMinor: null,
      count: countAt(element, 'OrgnlNbOfTxs', path),
    },
    {
      place: place('OrgnlCtrlSum'),
      of,
      isOfReturned: false,
      count: null,
      totalMinor: sumAt(element, 'OrgnlCtrlSum', path),
    },
    {
      place: place('NbOfTxsPerSts'),
      of,
      isOfReturned: true,
      count: totalOf(counts, (sum, one) => sum + one),
      totalMinor: totalOf(sums, (sum, one) => sum + one),
    },
  ];
}

/** Sum of what is all there; null where nothing is, or a part is missing. */
function totalOf<Figure extends number | bigint>(
  figures: readonly (Figure | null)[],
  add: (sum: Figure, one: Figure) => Figure,
): Figure | null {
  const known = figures.filter((one) => one !== null);
  const [first, ...others] = known;
  if (first === undefined || known.length < figures.length) return null;
  return others.reduce(add, first);
}
