import { NotationCount } from '#contract/amount-cells.ts';
import { columnNames } from '#contract/file-columns.ts';
import type { Currency } from '#contract/money.ts';
import {
  dayOrderOf,
  findStatementColumns,
  isStatementTotal,
  isStatusHeading,
  missingStatementColumns,
  STATEMENT_FILE_LABELS,
} from '#contract/statement-file.ts';
import type { StatementFileField, StatementFileMapping } from '#contract/statement-file.ts';
import { decodeText } from '#server/lib/decode-text.ts';
import { readSheetOf } from '../../imports/index.ts';
import type { Sheet } from '../../imports/index.ts';
import { isBookedWord, isDebitWord } from './line-words.ts';
import { readCamt053 } from './read-camt053.ts';
import type { CsvChoice } from './read-csv-statement.ts';
import { readOfx } from './read-ofx.ts';
import { checkStatements, STATEMENT_MAX_LINES, statementProblem } from './statement.ts';
import type { Statement } from './statement.ts';

export type StatementFormat = 'camt053' | 'ofx' | 'csv';

/** Statements of a file, or the sheet of a CSV file, which is read by `readCsvStatement` with somebody's choice. */
export type StatementFile =
  | { readonly format: 'camt053' | 'ofx'; readonly statements: readonly Statement[] }
  | { readonly format: 'csv'; readonly sheet: Sheet };

const CHOOSE = 'Download the statement as camt.053, OFX or CSV';

/** Formats that are not read, by the start of a file, with what it is and what helps. */
const OTHERS: readonly { readonly start: RegExp; readonly why: string }[] = [
  {
    start: /^PK\p{Cc}{2}/u,
    why: 'this is a ZIP archive or a workbook. Choose the statement in it, or save the sheet as “CSV UTF-8”',
  },
  { start: /^\p{Cc}\u008b/u, why: 'this is a compressed file. Unpack it first' },
  { start: /^%PDF-/, why: `this is a PDF. ${CHOOSE}` },
  { start: /^\s*(?:\{1:[^]{1,200}?\n)?:20:/, why: `this is MT940. ${CHOOSE}` },
  { start: /^\s*01,[^,\n]*,[^,\n]*,\d{6},\d{4},/, why: `this is BAI2. ${CHOOSE}` },
  { start: /^\s*!(?:Type|Account|Option):/i, why: `this is QIF. ${CHOOSE}` },
  {
    start: /^101[ \d]\d{8,9} ?[ \d]\d{8,10}/,
    why: 'this is a NACHA file and no statement. Returns have a page of their own',
  },
];

/** Bytes that show the format. */
const HEAD_BYTES = 2_000;
const SLICE_BYTES = 65_536;

/**
 * Reads a statement of any of the three formats, which its first bytes show.
 *
 * @throws {AppError} `statement_unreadable`, `statement_too_large`, and for CSV `import_not_text`, `import_unreadable`,
 *   `import_empty`
 */
export async function readStatementFile(file: Buffer): Promise<StatementFile> {
  const head = file.subarray(0, HEAD_BYTES).toString('latin1').replaceAll('\0', '');
  const other = OTHERS.find(({ start }) => start.test(head.replace(/^\P{ASCII}+/u, '')));
  if (other !== undefined) throw statementProblem('The file', other.why);
  const format = formatOf(head);
  if (format === 'csv') {
    const sheet = await readSheetOf(slicesOf(file), {
      isHeader: (cells) => missingStatementColumns(findStatementColumns(cells)).length === 0,
      isTotal: isStatementTotal,
      most: STATEMENT_MAX_LINES,
      tooMany: 'statement_too_large',
    });
    return { format, sheet };
  }
  const text = decodeText(slicesOf(file));
  const statements = await (format === 'ofx' ? readOfx(text) : readCamt053(text));
  checkStatements(statements);
  return { format, statements };
}

/**
 * Columns of a CSV file by their names; those of statuses, and of the side of amounts without a sign, by their words too.
 *
 * @param chosen columns that somebody chose for these headings before. A column of statuses that was left out is found
 *   again: the next file may have lines that are not booked
 */
export function findSheetColumns(
  sheet: Sheet,
  chosen: Partial<StatementFileMapping> = {},
): StatementFileMapping {
  return sheetColumns(sheet, chosen).mapping;
}

/**
 * Columns as `findSheetColumns`, with the fields of which several columns say different things, in words: "Status (columns
 * “Status” and “State”)". None of these is taken: somebody has to choose.
 */
export function sheetColumns(
  { header, rows }: Sheet,
  chosen: Partial<StatementFileMapping> = {},
): { mapping: StatementFileMapping; rivals: string[] } {
  const mapping = { ...findStatementColumns(header), ...chosen, status: chosen.status ?? null };
  const rivals: string[] = [];
  const wordsOf = (index: number) => rows.flatMap(({ cells }) => cells[index]?.trim() || []);
  const columnsOf = (isMeant: (heading: string, words: readonly string[]) => boolean) => {
    const taken = new Set(Object.values(mapping));
    return header.flatMap((name, index) =>
      !taken.has(index) && isMeant(name, wordsOf(index)) ? [index] : [],
    );
  };
  /** The first of some columns, if all of them mean the same in each row. */
  const onlyOf = (
    field: StatementFileField,
    columns: readonly number[],
    meaning: (cell: string) => unknown,
  ) => {
    const [first = null] = columns;
    const agree = rows.every(
      ({ cells }) => new Set(columns.map((index) => meaning(cells[index] ?? ''))).size <= 1,
    );
    if (agree) return first;
    rivals.push(`${STATEMENT_FILE_LABELS[field]} (columns ${columnNames(header, columns)})`);
    return null;
  };
  const areAll = (words: readonly string[], meaning: (word: string) => boolean | undefined) =>
    words.length > 0 && words.every((word) => meaning(word) !== undefined);
  const isSigned = wordsOf(mapping.amount ?? -1).some((cell) => /[-+\u2212()]|[CD]R$/i.test(cell));
  if (mapping.amount !== null && mapping.direction === null && !isSigned) {
    const sides = columnsOf((_name, words) => areAll(words, isDebitWord));
    mapping.direction = onlyOf('direction', sides, isDebitWord);
  }
  if (mapping.status === null) {
    const statuses = [
      (name: string, words: readonly string[]) =>
        /stat(?:us|e|ut)$/i.test(name.trim()) &&
        words.some((word) => isBookedWord(word) !== undefined),
      (name: string, words: readonly string[]) => isStatusHeading(name) && words.length > 0,
      (_name: string, words: readonly string[]) => areAll(words, isBookedWord),
    ];
    const found = statuses.map((one) => columnsOf(one)).find(({ length }) => length > 0) ?? [];
    mapping.status = onlyOf('status', found, (cell) => isBookedWord(cell) === false);
  }
  return { mapping, rivals };
}

/** Columns and notations of a CSV file as they are found. Null where somebody has to choose. */
export async function guessCsvChoice(
  sheet: Sheet,
  currency: Currency,
  mapping: StatementFileMapping = findSheetColumns(sheet),
): Promise<{
  mapping: StatementFileMapping;
  dayOrder: CsvChoice['dayOrder'] | null;
  notation: CsvChoice['notation'];
}> {
  const cellsOf = (field: StatementFileField) => {
    const index = mapping[field];
    return index === null ? [] : sheet.rows.map(({ cells }) => cells[index] ?? '');
  };
  const count = new NotationCount();
  for (const field of ['amount', 'moneyIn', 'moneyOut', 'balance'] as const) {
    for (const cell of cellsOf(field)) count.add(cell, currency);
  }
  return { mapping, dayOrder: dayOrderOf(cellsOf('bookingDay')), notation: count.notation };
}

function formatOf(head: string): StatementFormat {
  if (/^[^<]{0,500}OFXHEADER|<\?OFX|<OFX>/i.test(head)) return 'ofx';
  return /^[^\w<]*</.test(head) ? 'camt053' : 'csv';
}

async function* slicesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) yield file.subarray(at, at + SLICE_BYTES);
}
