/** What a spreadsheet would take for the start of a formula (OWASP, "CSV Injection"). */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A cell of text that a person typed. One that a spreadsheet would run as a formula gets an
 * apostrophe in front, so that it is shown as text.
 */
export function textCell(text: string): string {
  return quote(FORMULA_START.test(text) ? `'${text}` : text);
}

/** A cell made by us (an amount, a day, a reference): taken as it is. */
export function plainCell(text: string): string {
  return quote(text);
}

/** One record of a file by RFC 4180, with its line end. The cells are already encoded. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
