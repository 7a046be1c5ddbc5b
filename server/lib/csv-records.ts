import { AppError } from './errors.ts';

/** Longest record, in characters: what is longer has a quote that is never closed. */
export const MAX_RECORD_LENGTH = 20_000;

/**
 * Records of CSV by RFC 4180, as its text arrives. LF, CRLF and CR end a record; one without any text is a record of
 * one empty cell. Takes time that grows with the text alone, whatever it holds (docs/decisions/017).
 *
 * @param text in parts of some thousand characters: a record that is cut is read again with the next part
 * @throws {AppError} `import_unreadable`, naming the line; and whatever `text` throws
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<string[]> {
  const reader = new RecordReader(delimiter);
  for await (const slice of text) yield* reader.read(slice);
  yield* reader.end();
}

/** A cell of a text, and the place behind it. */
interface Cell {
  text: string;
  end: number;
}

/** A quote, what it encloses, and a closing quote that is not the first half of a doubled one. */
const QUOTED = /"([^"]*(?:""[^"]*)*)"(?!")/y;

class RecordReader {
  readonly #plain: RegExp;
  readonly #delimiter: string;
  /** Text of a record that has not ended, and what follows it. */
  #held = '';
  #isEnded = false;
  /** Line on which the next record begins, counted from 1. */
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#plain = new RegExp(`[^"\\r\\n${delimiter}]*`, 'y');
  }

  *read(slice: string): Generator<string[]> {
    this.#held += slice;
    let start = 0;
    while (start < this.#held.length) {
      const record = this.#recordAt(start);
      const end = record?.end ?? this.#held.length;
      if (end - start > MAX_RECORD_LENGTH) throw this.#unreadable(TOO_LONG);
      if (record === null) break;
      this.#line += this.#held.slice(start, end).split(/\r\n|[\r\n]/).length - 1;
      start = end;
      yield record.cells;
    }
    this.#held = this.#held.slice(start);
  }

  *end(): Generator<string[]> {
    this.#isEnded = true;
    yield* this.read('');
    if (this.#held !== '') throw this.#unreadable('a quote is not closed');
  }

  /** The record at a place, and the place of the next one; null while its end has not arrived. */
  #recordAt(start: number): { cells: string[]; end: number } | null {
    const cells: string[] = [];
    for (let at = start; ;) {
      const cell = this.#held[at] === '"' ? this.#quotedAt(at) : this.#plainAt(at);
      // The character after the last one decides if a quote closes, and if a CR ends a line alone.
      const isCut = cell === null || (!this.#isEnded && this.#isCutAt(cell.end));
      if (isCut) return null;
      cells.push(cell.text);
      at = cell.end + 1;
      if (this.#held[cell.end] !== this.#delimiter) {
        return { cells, end: this.#held.startsWith('\r\n', cell.end) ? at + 1 : at };
      }
    }
  }

  #isCutAt(end: number): boolean {
    return end >= this.#held.length - (this.#held[end] === '\r' ? 1 : 0);
  }

  #plainAt(at: number): Cell {
    this.#plain.lastIndex = at;
    const text = this.#plain.exec(this.#held)?.[0] ?? '';
    const end = at + text.length;
    if (this.#held[end] === '"') throw this.#unreadable('there is a quote in the middle of a cell');
    return { text, end };
  }

  #quotedAt(at: number): Cell | null {
    QUOTED.lastIndex = at;
    const found = QUOTED.exec(this.#held);
    if (found === null) return null;
    const end = QUOTED.lastIndex;
    const next = this.#held[end] ?? '\n';
    if (next !== this.#delimiter && next !== '\r' && next !== '\n') {
      throw this.#unreadable('there is text behind a closing quote');
    }
    return { text: (found[1] ?? '').replaceAll('""', '"'), end };
  }

  #unreadable(why: string): AppError {
    return new AppError('import_unreadable', { line: this.#line, why });
  }
}

const TOO_LONG = 'it is too long, perhaps because a quote is not closed';
