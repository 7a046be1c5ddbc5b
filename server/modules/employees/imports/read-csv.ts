import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '#server/lib/errors.ts';

/** Longest line of a file, in characters: what is longer has a quote that is never closed. */
const MAX_RECORD_LENGTH = 20_000;

/**
 * Reads CSV as it arrives and passes each line on, in order. Comma, semicolon or tab, whichever the
 * first line has most of; LF or CRLF; with or without a byte order mark. Only one line and some of the
 * bytes are in memory at a time.
 *
 * @param take given the records with the line of each as a spreadsheet counts, from 1
 * @throws {AppError} `import_not_text` for what is no UTF-8 text; `import_unreadable`; and whatever
 *   `bytes` and `take` throw
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  take: (records: AsyncIterable<string[]>) => Promise<void>,
): Promise<void> {
  const text = decoded(bytes);
  const { head, rest } = await firstLine(text);
  const parser = parse({
    delimiter: delimiterOf(head),
    max_record_size: MAX_RECORD_LENGTH,
    relax_column_count: true,
    skip_empty_lines: false,
  });
  try {
    await pipeline(Readable.from(rest), parser, (records: AsyncIterable<string[]>) =>
      take(records),
    );
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

/** @throws {AppError} `import_not_text` */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Takes the byte order mark away by itself.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = (chunk?: Uint8Array): string => {
    let text: string;
    try {
      text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new AppError('import_not_text');
    }
    // Archives and sheets that were not saved as CSV; the database takes no NUL in a text either.
    if (/[^\P{Cc}\t\r\n\u0085]/u.test(text)) throw new AppError('import_not_text');
    return text;
  };
  for await (const chunk of bytes) yield read(chunk);
  yield read();
}

/** The first line, and everything with it again. */
async function firstLine(
  text: AsyncGenerator<string>,
): Promise<{ head: string; rest: AsyncGenerator<string> }> {
  let head = '';
  let isEnded = false;
  while (!isEnded && !/[\r\n]/.test(head) && head.length < MAX_RECORD_LENGTH) {
    const { done, value } = await text.next();
    if (done === true) isEnded = true;
    else head += value;
  }
  return { head: head.split(/[\r\n]/, 1)[0] ?? '', rest: joined(head, text) };
}

async function* joined(head: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* text;
}

const DELIMITERS = [',', ';', '\t'] as const;

/** What the first line has most of, outside quotes. */
function delimiterOf(head: string): string {
  const bare = head.replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => bare.split(delimiter).length;
  return DELIMITERS.reduce((most, one) => (countOf(one) > countOf(most) ? one : most));
}

const REASONS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: 'it is too long, perhaps because a quote is not closed',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text behind a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in the middle of a cell',
};

function unreadable(error: CsvError): AppError {
  const line = typeof error['lines'] === 'number' ? error['lines'] : 0;
  return new AppError('import_unreadable', {
    line,
    why: REASONS[error.code] ?? 'it is not as CSV has to be',
  });
}
