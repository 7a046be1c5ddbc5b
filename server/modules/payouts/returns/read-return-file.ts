import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { Currency } from '#contract/money.ts';
import { MAX_RETURN_ENTRIES, RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import type { Reader } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { decodeText } from '#server/lib/decode-text.ts';
import { AppError } from '#server/lib/errors.ts';
import { IsoFault } from '../iso-answers/answers.ts';
import { readIsoAnswers } from '../iso-answers/read-iso-answers.ts';
import { NachaFault } from '../nacha/fault.ts';
import { readNacha } from '../nacha/read-nacha.ts';
import type { ReadBatchHeader, ReadEntry } from '../nacha/read-nacha.ts';
import { findAnswered } from './find-answered.ts';

/** An entry of a returns file. */
export interface FileEntry {
  /** Record of a NACHA file, or number of the payment among those of an ISO 20022 message that came back. */
  record: number;
  /**
   * Trace number of the payment that it is about, and the bank's own reference. Of an ISO 20022 message whose payment is
   * not known, the reference that it has for it.
   */
  originalTrace: string;
  bankTrace: string;
  amountMinor: bigint;
  receiver: string;
  /** Our reference, as the payment had it; empty where the bank left it out. */
  identification: string;
  /** Null where the format has none. */
  companyId: string | null;
  /** True for the transaction code of a returned credit: its second digit is 1 (Appendix Three). */
  isReturnedCredit: boolean;
  answer:
    | { kind: 'return' | 'dishonored' | 'contested'; code: ReturnCode }
    | { kind: 'change'; code: ChangeCode; corrected: string };
}

export interface ReturnFile {
  bankName: string;
  /** `2026-12-08` */
  madeOn: string;
  entries: FileEntry[];
}

/** A file that was sent, with the SHA-256 of its bytes as hex. */
export interface UploadedFile {
  hash: string;
  bytes: Buffer;
}

/** @throws {AppError} `return_file_too_large` */
export async function readUpload(body: UploadBody): Promise<UploadedFile> {
  const parts: Uint8Array[] = [];
  const upload = body.stream(RETURN_FILE_MAX_BYTES, 'return_file_too_large');
  for await (const part of upload) parts.push(part);
  const bytes = Buffer.concat(parts);
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** A fault of a returns file, in any format. */
export type ReturnFileFault = NachaFault | IsoFault;

export function isFault(error: unknown): error is ReturnFileFault {
  return error instanceof NachaFault || error instanceof IsoFault;
}

/** Place of a fault, as administrators read it: `Record 7, columns 33 to 44`. */
export function placeOf(fault: ReturnFileFault): string {
  if (fault instanceof IsoFault) {
    const { line, element } = fault.place;
    return `Line ${line}${element === null ? '' : `, ${element}`}`;
  }
  const { record, columns } = fault;
  return `Record ${record}${columns === null ? '' : `, columns ${columns.from} to ${columns.to}`}`;
}

/** Bytes that show the format. */
const HEAD_BYTES = 200;

/**
 * Reads a file of returns strictly: NACHA with notifications of change, or, as its first bytes show, pain.002 or camt.054.
 *
 * @throws {NachaFault} naming record and columns, also for an entry that is neither of them
 * @throws {IsoFault} naming line and element
 * @throws {AppError} `return_file_too_large`, `import_not_text`
 */
export async function readReturnFile(
  reader: Reader,
  { bytes }: UploadedFile,
  currency: Currency,
): Promise<ReturnFile> {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1').replaceAll('\0', '');
  if (!/^[^\w<]*</.test(head)) return readNachaFile(bytes);
  return findAnswered(reader, await readIsoAnswers(decodeText(Readable.from([bytes])), currency));
}

async function readNachaFile(bytes: Buffer): Promise<ReturnFile> {
  const entries: FileEntry[] = [];
  // A byte outside ASCII becomes one character outside it, which the reader refuses.
  const { header } = await readNacha([bytes.toString('latin1')], (entry, batch) => {
    if (entries.length >= MAX_RETURN_ENTRIES) throw new AppError('return_file_too_large');
    entries.push(entryOf(entry, batch));
  });
  const date = header.createdOn;
  return {
    bankName: (header.originName === '' ? header.origin : header.originName).trim(),
    madeOn: `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`,
    entries,
  };
}

function entryOf(entry: ReadEntry, { companyId }: ReadBatchHeader): FileEntry {
  const [answer] = entry.follows;
  if (answer === undefined || answer.kind === 'note') {
    throw new NachaFault(
      entry.record,
      null,
      'this is neither a return nor a notification of change',
    );
  }
  const { record, traceNumber: bankTrace, amountMinor, transactionCode } = entry;
  const { originalTrace } = answer;
  return {
    record,
    originalTrace,
    bankTrace,
    amountMinor,
    receiver: entry.name,
    identification: entry.identification.trim(),
    companyId: companyId.trim(),
    isReturnedCredit: transactionCode.endsWith('1'),
    answer:
      answer.kind === 'change'
        ? { kind: 'change', code: answer.code, corrected: answer.corrected }
        : { kind: answer.kind, code: answer.code },
  };
}
