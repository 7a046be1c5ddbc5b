import { createHash } from 'node:crypto';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import { MAX_RETURN_ENTRIES, RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { NachaFault } from '../nacha/fault.ts';
import { readNacha } from '../nacha/read-nacha.ts';
import type { ReadBatchHeader, ReadEntry } from '../nacha/read-nacha.ts';

/** An entry of a returns file. */
export interface FileEntry {
  record: number;
  /** Trace number of the payment that it is about, and its own. */
  originalTrace: string;
  bankTrace: string;
  amountMinor: bigint;
  receiver: string;
  /** Our reference, as the payment had it; empty where the bank left it out. */
  identification: string;
  companyId: string;
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
  text: string;
}

/** @throws {AppError} `return_file_too_large` */
export async function readUpload(body: UploadBody): Promise<UploadedFile> {
  const parts: Uint8Array[] = [];
  const upload = body.stream(RETURN_FILE_MAX_BYTES, 'return_file_too_large');
  for await (const part of upload) parts.push(part);
  const bytes = Buffer.concat(parts);
  // A byte outside ASCII becomes one character outside it, which the reader refuses.
  return { hash: createHash('sha256').update(bytes).digest('hex'), text: bytes.toString('latin1') };
}

/**
 * Reads a file of returns and notifications of change strictly.
 *
 * @throws {NachaFault} naming record and columns, also for an entry that is neither of them
 * @throws {AppError} `return_file_too_large`
 */
export async function readReturnFile(text: string): Promise<ReturnFile> {
  const entries: FileEntry[] = [];
  const { header } = await readNacha([text], (entry, batch) => {
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
    ...{ record, originalTrace, bankTrace, amountMinor, receiver: entry.name },
    ...{ identification: entry.identification.trim(), companyId: companyId.trim() },
    isReturnedCredit: transactionCode.endsWith('1'),
    answer:
      answer.kind === 'change'
        ? { kind: 'change', code: answer.code, corrected: answer.corrected }
        : { kind: answer.kind, code: answer.code },
  };
}
