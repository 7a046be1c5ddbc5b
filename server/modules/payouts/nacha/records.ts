/**
 * Records of a NACHA file, field by field in their order. Source: NACHA Operating Rules, Appendix Three (ACH record
 * format specifications); addenda 98 and 99 from its subparts on notifications of change and returns.
 */
import { amount, blank, count, digits, fixed, layout, text } from './layout.ts';

export const FILE_HEADER = layout({
  type: fixed('1'),
  priority: fixed('01'),
  destination: text(10),
  origin: text(10),
  /** `YYMMDD` and `HHMM`. */
  createdOn: digits(6),
  createdAt: text(4),
  fileIdModifier: text(1),
  recordSize: fixed('094'),
  blockingFactor: fixed('10'),
  format: fixed('1'),
  destinationName: text(23),
  originName: text(23),
  reference: text(8),
});

export const BATCH_HEADER = layout({
  type: fixed('5'),
  serviceClass: digits(3),
  companyName: text(16),
  discretionary: text(20),
  companyId: text(10),
  /** Standard entry class: PPD, CCD, COR. */
  entryClass: text(3),
  description: text(10),
  descriptiveDate: text(6),
  effectiveOn: text(6),
  /** Julian day of settlement, which the ACH operator enters. */
  settledOn: text(3),
  originatorStatus: text(1),
  odfi: digits(8),
  batchNumber: digits(7),
});

export const ENTRY = layout({
  type: fixed('6'),
  transactionCode: digits(2),
  routingNumber: digits(9),
  accountNumber: text(17),
  amountMinor: amount(10),
  identification: text(15),
  name: text(22),
  discretionary: text(2),
  addenda: digits(1),
  traceNumber: digits(15),
});

/** Words for the payee of a PPD or a CCD entry. */
export const ADDENDA = layout({
  type: fixed('7'),
  kind: fixed('05'),
  text: text(80),
  sequence: count(4),
  /** The last seven digits of the entry's trace number. */
  entrySequence: digits(7),
});

/** A notification of change. */
export const CHANGE = layout({
  type: fixed('7'),
  kind: fixed('98'),
  code: text(3),
  originalTrace: digits(15),
  reserved: blank(6),
  originalRdfi: digits(8),
  corrected: text(29),
  reservedAgain: blank(15),
  traceNumber: digits(15),
});

/** A return. */
export const RETURN = layout({
  type: fixed('7'),
  kind: fixed('99'),
  code: text(3),
  originalTrace: digits(15),
  dateOfDeath: text(6),
  originalRdfi: digits(8),
  information: text(44),
  traceNumber: digits(15),
});

/** A return that the originator's bank does not accept: R61, R62, R67 to R70. */
export const DISHONORED_RETURN = layout({
  type: fixed('7'),
  kind: fixed('99'),
  code: text(3),
  originalTrace: digits(15),
  reserved: blank(6),
  originalRdfi: digits(8),
  reservedAgain: blank(3),
  returnTrace: digits(15),
  returnSettledOn: text(3),
  returnCode: text(2),
  information: text(21),
  traceNumber: digits(15),
});

/** The receiver's bank contests a dishonored return: R71 to R77. */
export const CONTESTED_RETURN = layout({
  type: fixed('7'),
  kind: fixed('99'),
  code: text(3),
  originalTrace: digits(15),
  originalReturnedOn: text(6),
  originalRdfi: digits(8),
  originalSettledOn: text(3),
  returnTrace: digits(15),
  returnSettledOn: text(3),
  returnCode: text(2),
  dishonoredTrace: text(15),
  dishonoredSettledOn: text(3),
  dishonoredCode: text(2),
  reserved: blank(1),
  traceNumber: digits(15),
});

export const BATCH_CONTROL = layout({
  type: fixed('8'),
  serviceClass: digits(3),
  entryCount: count(6),
  entryHash: amount(10),
  debitMinor: amount(12),
  creditMinor: amount(12),
  companyId: text(10),
  authentication: text(19),
  reserved: blank(6),
  odfi: digits(8),
  batchNumber: digits(7),
});

export const FILE_CONTROL = layout({
  type: fixed('9'),
  batchCount: count(6),
  blockCount: count(6),
  entryCount: count(8),
  entryHash: amount(10),
  debitMinor: amount(12),
  creditMinor: amount(12),
  reserved: blank(39),
});

/** A record that fills the last block of ten. */
export const FILLER = '9'.repeat(94);
export const BLOCKING_FACTOR = 10;

/** Keeps the ten last digits of a sum of routing numbers, as the hash fields do. */
export function entryHash(sum: bigint): bigint {
  return sum % 10_000_000_000n;
}

/** Transaction codes of a credit, by account. */
export const CREDIT_CODES = { checking: '22', savings: '32' } as const;
export const PRENOTE_CODES = { checking: '23', savings: '33' } as const;
export const DEBIT_CODES = { checking: '27', savings: '37' } as const;

/** True for a code whose amount is paid to the receiver: second digit 0 to 4 (Appendix Three, transaction codes). */
export function isCredit(transactionCode: string): boolean {
  return /^[2-5][0-4]$/.test(transactionCode);
}

/** True for a code that exists: 21 to 29 checking, 31 to 39 savings, 41 to 49 general ledger, 51 to 56 loans. */
export function isTransactionCode(transactionCode: string): boolean {
  return /^(?:[234][1-9]|5[1-6])$/.test(transactionCode);
}
