import { isRoutingNumber } from '#contract/account-formats.ts';
import { latinName, latinText } from '../latin.ts';
import { UnwritablePayment } from '../order.ts';
import type { OrderedBatch, OrderedPayment } from '../order.ts';
import {
  ADDENDA,
  BATCH_CONTROL,
  BATCH_HEADER,
  BLOCKING_FACTOR,
  CREDIT_CODES,
  DEBIT_CODES,
  ENTRY,
  FILE_CONTROL,
  FILE_HEADER,
  FILLER,
  PRENOTE_CODES,
  entryHash,
} from './records.ts';

/** Form of the files that a bank wants, as agreed with the company. */
export interface NachaProfile {
  /** Routing number of the bank with a space before it, or ten characters of its own. */
  destination: string;
  destinationName: string;
  /** Ten characters that the bank gave the company, often `1` and its tax number. */
  origin: string;
  originName: string;
  companyName: string;
  companyId: string;
  /** The first eight digits of the routing number of the company's bank. */
  odfi: string;
  /** Words on the payee's statement, in capitals where NACHA prescribes them. */
  peopleDescription: string;
  businessesDescription: string;
  /** The company's account, debited for the sum of each batch; null for a file of credits alone. */
  offset: { routingNumber: string; accountNumber: string; type: 'checking' | 'savings' } | null;
  lineEnd: '\n' | '\r\n' | '';
}

/** Facts of one file. */
export interface NachaFileFacts {
  /** `2026-12-08` and `1005`, at the company. */
  createdOn: string;
  createdAt: string;
  /** A to Z, then 0 to 9; distinguishes the files of one day. */
  idModifier: string;
  /** Number of the file, at most eight characters. */
  reference: string;
}

/** Control figures of a file, as its last record has them. */
export interface NachaTotals {
  batchCount: number;
  blockCount: number;
  /** Entries and addenda. */
  entryCount: number;
  entryHash: bigint;
  debitMinor: bigint;
  creditMinor: bigint;
}

/** Company entry description of wages, from March 20, 2026 on (NACHA Operating Rules, 3.1.8). */
export const PAYROLL = 'PAYROLL';
/** Company entry description of entries that verify an account (NACHA Operating Rules, 2.7.2, Micro-Entries). */
const VERIFICATION = 'ACCTVERIFY';
/** Company entry description of entries that take others back (NACHA Operating Rules, 2.10.4). */
export const REVERSAL = 'REVERSAL';
/** Most of one entry, in minor units: ten digits. */
const MAX_ENTRY_MINOR = 9_999_999_999n;
const FILE_ID_MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Files of one day that the format can tell apart. */
export const MAX_FILES_OF_DAY = FILE_ID_MODIFIERS.length;

/**
 * Modifier of the nth file of a day, counted from 1.
 *
 * @throws {RangeError} after 36 files of one day, which is all that the format can tell apart
 */
export function fileIdModifier(nthOfDay: number): string {
  const modifier = FILE_ID_MODIFIERS[nthOfDay - 1];
  if (modifier === undefined) throw new RangeError(`No file ID modifier for file ${nthOfDay}`);
  return modifier;
}

/**
 * Writes a file of credits, PPD to people and CCD to businesses, in records of 94 characters and blocks of ten; of a batch
 * that is a reversal they are debits. Holds some entries at a time, so that a file of any size takes the same memory.
 *
 * @returns its control figures
 * @throws {UnwritablePayment} naming the payment that the format has no place for
 * @throws {RangeError} for a profile or a sum that does not fit, a file or a batch without entries, and
 *   offsets without a trace number
 */
export async function* writeNacha(
  profile: NachaProfile,
  file: NachaFileFacts,
  batches: AsyncIterable<OrderedBatch> | Iterable<OrderedBatch>,
): AsyncGenerator<string, NachaTotals> {
  let records = 0;
  const line = (record: string) => {
    records += 1;
    return record + profile.lineEnd;
  };
  yield line(
    FILE_HEADER.write({
      destination: profile.destination,
      origin: profile.origin,
      createdOn: shortDate(file.createdOn),
      createdAt: file.createdAt,
      fileIdModifier: file.idModifier,
      destinationName: latinText(profile.destinationName).slice(0, 23).trim(),
      originName: latinText(profile.originName).slice(0, 23).trim(),
      reference: file.reference,
    }),
  );
  const sums = { batchCount: 0, entryCount: 0, hash: 0n, debitMinor: 0n, creditMinor: 0n };
  for await (const batch of batches) {
    const ofBatch = yield* writeBatch(profile, batch, line);
    sums.batchCount += 1;
    sums.entryCount += ofBatch.entryCount;
    sums.hash += ofBatch.hash;
    sums.debitMinor += ofBatch.debitMinor;
    sums.creditMinor += ofBatch.creditMinor;
  }
  if (sums.batchCount === 0) throw new RangeError('A file has at least one batch.');
  const { hash, ...counts } = sums;
  const blockCount = Math.ceil((records + 1) / BLOCKING_FACTOR);
  const totals = { ...counts, blockCount, entryHash: entryHash(hash) };
  yield line(FILE_CONTROL.write(totals));
  const missing = blockCount * BLOCKING_FACTOR - records;
  yield (FILLER + profile.lineEnd).repeat(missing);
  return totals;
}

/** Words on the payee's statement. A prenote has those of the payments that follow it. */
function descriptionOf(profile: NachaProfile, { payees }: OrderedBatch): string {
  if (payees === 'micro_deposits') return VERIFICATION;
  return payees === 'businesses' ? profile.businessesDescription : profile.peopleDescription;
}

interface BatchSums {
  entryCount: number;
  hash: bigint;
  debitMinor: bigint;
  creditMinor: bigint;
}

/** Characters that are given on together. */
const PART_LENGTH = 16_384;

async function* writeBatch(
  profile: NachaProfile,
  batch: OrderedBatch,
  line: (record: string) => string,
): AsyncGenerator<string, BatchSums> {
  const { isReversal = false } = batch;
  const common = {
    serviceClass: profile.offset !== null ? '200' : isReversal ? '225' : '220',
    companyId: profile.companyId,
    odfi: profile.odfi,
    batchNumber: String(batch.number).padStart(7, '0'),
  };
  const isToPeople = batch.payees !== 'businesses';
  const header = BATCH_HEADER.write({
    ...common,
    companyName: latinText(profile.companyName).slice(0, 16).trim(),
    discretionary: '',
    entryClass: isToPeople ? 'PPD' : 'CCD',
    description: isReversal ? REVERSAL : descriptionOf(profile, batch),
    descriptiveDate: batch.sameDay ?? shortDate(batch.effectiveOn),
    effectiveOn: shortDate(batch.effectiveOn),
    settledOn: '',
    originatorStatus: '1',
  });
  let text = line(header);
  const sums: BatchSums = { entryCount: 0, hash: 0n, debitMinor: 0n, creditMinor: 0n };
  let ofPayments = 0n;
  for await (const payment of batch.payments) {
    const records = writeEntry(payment, isReversal);
    for (const record of records) text += line(record);
    if (text.length >= PART_LENGTH) {
      yield text;
      text = '';
    }
    sums.entryCount += records.length;
    sums.hash += routingSum(payment);
    ofPayments += payment.amountMinor;
  }
  sums[isReversal ? 'debitMinor' : 'creditMinor'] = ofPayments;
  if (sums.entryCount === 0) throw new RangeError('A batch has at least one entry.');
  if (profile.offset !== null) {
    const { routingNumber, accountNumber, type } = profile.offset;
    for (const [at, amountMinor] of offsets(ofPayments).entries()) {
      sums[isReversal ? 'creditMinor' : 'debitMinor'] += amountMinor;
      sums.entryCount += 1;
      sums.hash += BigInt(routingNumber.slice(0, 8));
      const debit = ENTRY.write({
        transactionCode: (isReversal ? CREDIT_CODES : DEBIT_CODES)[type],
        routingNumber,
        accountNumber,
        amountMinor,
        identification: 'OFFSET',
        name: latinText(profile.companyName).slice(0, 22).trim(),
        discretionary: '',
        addenda: '0',
        traceNumber: batch.offsetTraces[at] ?? '',
      });
      text += line(debit);
    }
  }
  const { hash, ...rest } = sums;
  const control = { ...common, ...rest, entryHash: entryHash(hash), authentication: '' };
  yield text + line(BATCH_CONTROL.write(control));
  return sums;
}

/**
 * Debits of the company's account for a batch of this sum. An entry has ten digits, so that a batch of a hundred million
 * dollars or more takes several; prenotes alone take none.
 */
export function offsets(creditMinor: bigint): bigint[] {
  const parts: bigint[] = [];
  for (let rest = creditMinor; rest > 0n; rest -= MAX_ENTRY_MINOR) {
    parts.push(rest < MAX_ENTRY_MINOR ? rest : MAX_ENTRY_MINOR);
  }
  return parts;
}

/** The entry of a payment, or the debit that takes it back, and its addenda if it has words for the payee. */
function writeEntry(payment: OrderedPayment, isReversal: boolean): string[] {
  const { account, reference, amountMinor, traceNumber, isPrenote = false } = payment;
  const refused = (why: string) => new UnwritablePayment(reference, why);
  if (account.kind !== 'aba') throw refused('its account has no routing number');
  if (!isRoutingNumber(account.routingNumber)) throw refused('its routing number is wrong');
  if (!/^[0-9A-Za-z -]{1,17}$/.test(account.accountNumber.trim())) {
    throw refused('its account number does not fit 17 characters');
  }
  if (isPrenote ? amountMinor !== 0n : amountMinor <= 0n) throw refused('its amount is wrong');
  if (amountMinor > MAX_ENTRY_MINOR) throw refused('its amount has more than ten digits');
  const codes = isPrenote ? PRENOTE_CODES : isReversal ? DEBIT_CODES : CREDIT_CODES;
  const note = isPrenote ? '' : latinText(payment.note ?? '').slice(0, 80);
  try {
    const entry = ENTRY.write({
      transactionCode: codes[account.type],
      routingNumber: account.routingNumber,
      accountNumber: account.accountNumber.trim(),
      amountMinor,
      identification: reference,
      name: nachaName(payment),
      discretionary: '',
      addenda: note === '' ? '0' : '1',
      traceNumber,
    });
    if (note === '') return [entry];
    return [entry, ADDENDA.write({ text: note, sequence: 1, entrySequence: traceNumber.slice(8) })];
  } catch (error) {
    if (error instanceof RangeError) throw refused(error.message);
    throw error;
  }
}

/** Name of a payee as the format writes it: printable ASCII, at most 22 characters. */
export function nachaName({ name, reference }: Pick<OrderedPayment, 'name' | 'reference'>): string {
  return latinName(name, reference).slice(0, 22).trim();
}

function routingSum({ account }: OrderedPayment): bigint {
  return account.kind === 'aba' ? BigInt(account.routingNumber.slice(0, 8)) : 0n;
}

/** `261208` of `2026-12-08`. */
function shortDate(day: string): string {
  return day.slice(2).replaceAll('-', '');
}
