import { NachaFault } from './fault.ts';
import { RECORD_LENGTH } from './layout.ts';

/** Longest line, in characters: a record with blanks behind it. */
const MAX_LINE_LENGTH = 1000;

/**
 * Cuts a file into records, as its text arrives. Lines may end by LF, CRLF or CR, have blanks behind them, or lack those
 * at their end; blank lines are left out. A file without any line ends is cut every 94 characters.
 *
 * @param onRecord is given each record, filled up with the blanks that its sender left out, and its number
 * @throws {NachaFault} for a record that is too long or cut off, and a character outside printable ASCII
 */
export async function splitRecords(
  text: AsyncIterable<string> | Iterable<string>,
  onRecord: (record: string, number: number) => void,
): Promise<void> {
  let held = '';
  let number = 0;
  let isFixed: boolean | null = null;
  for await (const part of text) {
    held += part;
    isFixed ??= hasNoLineEnds(held);
    if (isFixed === null) continue;
    let start = 0;
    for (;;) {
      const found = isFixed ? fixedAt(held, start) : lineAt(held, start);
      if (found === null) break;
      number += 1;
      start = found.next;
      if (found.text.trim() !== '') onRecord(wholeRecord(found.text, number), number);
    }
    held = held.slice(start);
    if (held.length > MAX_LINE_LENGTH) throw tooLong(number + 1);
  }
  for (const line of held.split(/\r\n|[\r\n]/)) {
    number += 1;
    if (line.trim() === '') continue;
    if (isFixed === true) throw new NachaFault(number, null, 'the file is cut off in this record');
    onRecord(wholeRecord(line, number), number);
  }
}

/** True for one line of 94s; null while too little has arrived to say. */
function hasNoLineEnds(start: string): boolean | null {
  if (/[\r\n]/.test(start.slice(0, RECORD_LENGTH + 1))) return false;
  return start.length <= RECORD_LENGTH ? null : start[RECORD_LENGTH] !== ' ';
}

interface Cut {
  text: string;
  next: number;
}

function fixedAt(held: string, start: number): Cut | null {
  const next = start + RECORD_LENGTH;
  return next > held.length ? null : { text: held.slice(start, next), next };
}

const LINE_END = /[\r\n]/g;

function lineAt(held: string, start: number): Cut | null {
  LINE_END.lastIndex = start;
  const found = LINE_END.exec(held);
  if (found === null) return null;
  const end = found.index;
  // A LF may follow a CR in the next part.
  if (held[end] === '\r' && end === held.length - 1) return null;
  return { text: held.slice(start, end), next: held.startsWith('\r\n', end) ? end + 2 : end + 1 };
}

function wholeRecord(line: string, number: number): string {
  const wrong = line.search(/[^\x20-\x7E]/);
  if (wrong !== -1) {
    const columns = { from: wrong + 1, to: wrong + 1 };
    throw new NachaFault(number, columns, 'a character is not printable ASCII');
  }
  const record = line.trimEnd();
  if (record.length > RECORD_LENGTH) throw tooLong(number);
  return record.padEnd(RECORD_LENGTH);
}

function tooLong(number: number): NachaFault {
  const columns = { from: RECORD_LENGTH + 1, to: RECORD_LENGTH + 1 };
  return new NachaFault(number, columns, 'the record is longer than 94 characters');
}
