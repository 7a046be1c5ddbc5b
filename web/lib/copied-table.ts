/** Signs that begin a formula in a spreadsheet, also in the full-width forms that some read alike. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** Characters that end a cell or a line of a pasted table. */
const BREAKS = /[\t\r\n]+/g;

/**
 * Rows as text that a spreadsheet pastes into cells: tabs between cells, line feeds between rows. A cell that
 * would begin a formula gets an apostrophe before it, as in exports (OWASP, "CSV Injection").
 */
export function copiedTable(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(copiedCell).join('\t')).join('\n');
}

function copiedCell(text: string): string {
  const cell = text.replaceAll(BREAKS, ' ');
  return FORMULA.test(cell) ? `'${cell}` : cell;
}
