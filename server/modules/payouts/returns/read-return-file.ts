import { createHash } from 'node:crypto';
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
import type { FileEntry, ReturnFile } from './return-file.ts';

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

/** A returns file with the SHA-256 of its bytes as hex. */
interface UploadedFile {
  hash: string;
  file: ReturnFile | ReturnFileFault;
}

/**
 * Reads a returns file as it arrives, strictly: NACHA with notifications of change, or, as its first bytes show, pain.002 or
 * camt.054. Its bytes are hashed and forgotten, so that memory grows with its entries alone.
 *
 * @returns the file or its fault: a NachaFault naming record and columns, also for an entry that is neither a return nor a
 *   change, or an IsoFault naming line and element
 * @throws {AppError} `return_file_too_large`, `import_not_text`
 */
export async function readReturnFile(
  reader: Reader,
  body: UploadBody,
  currency: Currency,
): Promise<UploadedFile> {
  await using upload = new HashedUpload(body);
  const file = await readEntries(reader, upload, currency).catch((error: unknown) => {
    if (isFault(error)) return error;
    throw error;
  });
  return { file, hash: await upload.end() };
}

/** Bytes that show the format. */
const HEAD_BYTES = 200;

async function readEntries(
  reader: Reader,
  upload: HashedUpload,
  currency: Currency,
): Promise<ReturnFile> {
  const head = (await upload.peek(HEAD_BYTES)).toString('latin1').replaceAll('\0', '');
  if (!/^[^\w<]*</.test(head)) return readNachaFile(upload);
  return findAnswered(reader, await readIsoAnswers(decodeText(upload.parts()), currency));
}

/** An upload that is hashed while it is read, and to its end also where its reader stops before. */
class HashedUpload implements AsyncDisposable {
  readonly #hash = createHash('sha256');
  readonly #rest: AsyncIterator<Uint8Array>;
  #head = Buffer.alloc(0);

  constructor(body: UploadBody) {
    const bytes = body.stream(RETURN_FILE_MAX_BYTES, 'return_file_too_large');
    this.#rest = bytes[Symbol.asyncIterator]();
  }

  /** The first bytes, fewer of a small file. They are read again by `parts`. */
  async peek(count: number): Promise<Buffer> {
    for (let part = await this.#next(); part !== null; part = await this.#next()) {
      this.#head = Buffer.concat([this.#head, part]);
      if (this.#head.length >= count) break;
    }
    return this.#head.subarray(0, count);
  }

  async *parts(): AsyncGenerator<Uint8Array, void> {
    yield this.#head;
    for (let part = await this.#next(); part !== null; part = await this.#next()) yield part;
  }

  /** The hash of all bytes. */
  async end(): Promise<string> {
    while ((await this.#next()) !== null);
    return this.#hash.digest('hex');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rest.return?.();
  }

  async #next(): Promise<Uint8Array | null> {
    const { value, done } = await this.#rest.next();
    if (done === true) return null;
    this.#hash.update(value);
    return value;
  }
}

async function readNachaFile(upload: HashedUpload): Promise<ReturnFile> {
  const entries: FileEntry[] = [];
  const { header } = await readNacha(latin1(upload.parts()), (entry, batch) => {
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

/** A byte outside ASCII becomes one character outside it, which the reader refuses. */
async function* latin1(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  for await (const part of parts) yield Buffer.from(part).toString('latin1');
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
