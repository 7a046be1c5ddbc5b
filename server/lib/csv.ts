/** Signs that begin a formula in a spreadsheet, also in the full-width forms that some read alike. */
const SIGN = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';
/**
 * Starts of a cell for some reader: the beginning, and the position after a character that a reader
 * with another country's settings, or one that ignores quotes, takes for the end of a cell or a
 * line.
 */
const FORMULA = new RegExp(String.raw`(^|[;\t\r\n])([^\S\t\r\n]*)(?=${SIGN})`, 'g');
const LEADING_CONTROL = /^(?=[\t\r])/;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * Digits that a spreadsheet would read as another number: `0123` as 123, the 17th digit of a long
 * one as 0, `12E4` as 120000. They are routing numbers, employee IDs and similar.
 */
const ALTERED_DIGITS = /^(?:0\d+|\d{16,}|\d+[Ee]\d+)$/;

/**
 * Beginning of every CSV file: without it, Excel reads a file opened by a double click in the
 * system's code page.
 */
export const BYTE_ORDER_MARK = '\uFEFF';

/** An encoded cell; only {@link textCell} and {@link plainCell} create it. */
export type Cell = string & { readonly __cell: true };

/** A column of an export: its header, and the cell of a row. */
export interface CsvColumn<Row, Scope> {
  header: string;
  /** Header in place of that one, where it depends on the company. */
  headerOf?: (scope: Scope) => string;
  cell: (row: Row, scope: Scope) => Cell;
}

/**
 * A cell of text that a person typed. An apostrophe is put wherever a spreadsheet could start a
 * formula, so that it is shown as text (OWASP, "CSV Injection"). Digits that a spreadsheet would
 * alter are written as a formula, `="0123"` (docs/decisions/037).
 */
export function textCell(text: string): Cell {
  if (ALTERED_DIGITS.test(text)) return quote(`="${text}"`);
  return quote(text.replaceAll(FORMULA, "$1$2'").replace(LEADING_CONTROL, "'"));
}

/** A cell with a value of ours (an amount, a day, a reference), unchanged. */
export function plainCell(text: string): Cell {
  return quote(text);
}

/** One record of a file by RFC 4180, with its line end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.join(',')}\r\n`;
}

function quote(text: string): Cell {
  return (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text) as Cell;
}
