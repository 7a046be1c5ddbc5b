import { AppError } from './errors.ts';
import { csvRecords, MAX_RECORD_LENGTH } from './csv-records.ts';
import { decodeText } from './decode-text.ts';
import { MOST_TITLES } from './sheet-rows.ts';

/**
 * Reads CSV as it arrives and passes each line on, in order. Comma, semicolon, tab or bar: the one that a first
 * line `sep=;` names, or most of the first lines have. UTF-8, UTF-16 with its byte order mark, or
 * Windows-1252. Only some lines and some of the bytes are in memory at a time.
 *
 * @throws {AppError} `import_not_text` for what is no text, and a PDF; `import_unreadable`; and whatever `bytes` throws
 */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const { delimiter, rest } = await firstLines(decodeText(bytes));
  yield* csvRecords(rest, delimiter);
}

/** The delimiter, and the text without a line that only names it. */
async function firstLines(
  text: AsyncGenerator<string>,
): Promise<{ delimiter: string; rest: AsyncGenerator<string> }> {
  let head = '';
  let isEnded = false;
  while (!isEnded && head.split('\n').length <= MOST_TITLES && head.length < MAX_RECORD_LENGTH) {
    const { done, value } = await text.next();
    if (done === true) isEnded = true;
    else head += value;
  }
  if (head.startsWith('%PDF-')) throw new AppError('import_not_text');
  const named = /^sep=([,;\t|])\r?\n?/i.exec(head);
  const delimiter = named?.[1] ?? delimiterOf(head.split(/\r\n|[\r\n]/).slice(0, MOST_TITLES));
  return { delimiter, rest: joined(head.slice(named?.[0].length ?? 0), text) };
}

async function* joined(head: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* text;
}

const DELIMITERS = ['\t', '|', ';', ','] as const;

/**
 * Delimiter that most of the first lines have outside quotes, and of two that as many have the one that divides a line into
 * more cells. Decimal commas are in as many lines as the semicolons between two columns, so the comma comes last.
 */
function delimiterOf(lines: readonly string[]): string {
  const bare = lines.map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const rank = (delimiter: string) => {
    const cells = bare.map((line) => line.split(delimiter).length);
    return cells.filter((count) => count > 1).length * MAX_RECORD_LENGTH + Math.max(...cells);
  };
  const best = DELIMITERS.reduce((most, one) => (rank(one) > rank(most) ? one : most));
  return bare.some((line) => line.includes(best)) ? best : ',';
}
