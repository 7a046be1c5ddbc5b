import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from './errors.ts';

/** Bytes that are read before other requests have their turn: some milliseconds, whatever they hold. */
const SLICE_BYTES = 8_192;

/**
 * Text of a file as it arrives, in slices of some thousand characters. UTF-8, UTF-16 with its byte order mark, or
 * Windows-1252, which has ISO 8859-1 in it.
 *
 * @throws {AppError} `import_not_text` for what is no text; and whatever `bytes` throws
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new FileDecoder();
  for await (const chunk of inSlices(bytes)) yield checkText(decoder.read(chunk));
  yield checkText(decoder.end());
}

/** The bytes in slices of one size, in however small or large parts they arrive. */
async function* inSlices(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= SLICE_BYTES) {
      yield held.subarray(0, SLICE_BYTES);
      held = held.subarray(SLICE_BYTES);
      await nextTurn();
    }
  }
  yield held;
}

/** Archives and sheets that were not saved as CSV; the database takes no NUL in a text either. */
function checkText(text: string): string {
  if (/[^\P{Cc}\t\r\n\u0085]/u.test(text)) throw new AppError('import_not_text');
  return text;
}

/** Bytes of an encoding's byte order mark, as Excel writes it. */
const MARKS = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/**
 * Decodes a file in chunks: UTF-16 where its byte order mark says so, else UTF-8. A file whose first letter
 * outside ASCII is no UTF-8 was saved by an older Excel, in Windows-1252.
 */
class FileDecoder {
  #decoder: TextDecoder | undefined;
  /** The start of the file, or a letter of UTF-8 that the next chunk completes. */
  #held: Uint8Array = new Uint8Array();
  #isBegun = false;
  #hasUtf8Letter = false;

  read(chunk: Uint8Array): string {
    const bytes = Buffer.concat([this.#held, chunk]);
    this.#held = new Uint8Array();
    if (!this.#isBegun) {
      if (bytes.length < 3) {
        this.#held = bytes;
        return '';
      }
      this.#begin(bytes);
    }
    if (this.#decoder !== undefined) return this.#decoder.decode(bytes, { stream: true });
    const complete = bytes.length - unfinishedBytes(bytes);
    this.#held = bytes.subarray(complete);
    return this.#readUtf8(bytes.subarray(0, complete));
  }

  end(): string {
    const rest = this.#held;
    if (!this.#isBegun) this.#begin(rest);
    return this.#decoder === undefined ? this.#readUtf8(rest) : this.#decoder.decode(rest);
  }

  #begin(bytes: Uint8Array): void {
    this.#isBegun = true;
    const found = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
    if (found !== undefined) this.#decoder = new TextDecoder(found.encoding);
  }

  /** @throws {AppError} `import_not_text` where the file has letters of UTF-8 as well */
  #readUtf8(bytes: Uint8Array): string {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      this.#hasUtf8Letter ||= bytes.some((byte) => byte >= 0x80);
      return text;
    } catch {
      const lenient = new TextDecoder('utf-8').decode(bytes);
      if (this.#hasUtf8Letter || /[\u0080-\ufffc]/.test(lenient)) {
        throw new AppError('import_not_text');
      }
      this.#decoder = new TextDecoder('windows-1252');
      return this.#decoder.decode(bytes, { stream: true });
    }
  }
}

/** Number of bytes at the end that begin a character of UTF-8 and do not finish it. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}
