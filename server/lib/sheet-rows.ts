import {
  IMPORT_MAX_COLUMNS,
  IMPORT_MAX_LINES,
  IMPORT_MAX_ROWS,
  isTotalRow,
} from '#contract/employee-import.ts';
import { AppError } from './errors.ts';

/** Lines above the one that names the columns, and it. Some banks write 13 above. */
export const MOST_TITLES = 20;

/** A row of a file as it stands there. */
export interface SheetRow {
  /** As a spreadsheet counts. */
  rowNumber: number;
  cells: readonly string[];
}

/** Rows of a sheet below the line that names its columns. Blank lines and lines of totals are left out. */
export class SheetReader {
  readonly #isHeader: (cells: readonly string[]) => boolean;
  readonly #isTotal: (cells: readonly string[]) => boolean;
  /** Names of the columns; known with the first row. */
  header: readonly string[] = [];
  rowCount = 0;
  /** Lines that sum up the rows. */
  totalRowCount = 0;

  /**
   * @param isHeader true for the line that names the columns that are needed
   * @param isTotal true for a line that sums up the rows
   */
  constructor(isHeader: (cells: readonly string[]) => boolean, isTotal = isTotalRow) {
    this.#isHeader = isHeader;
    this.#isTotal = isTotal;
  }

  /**
   * Reads each row, in order.
   *
   * @throws {AppError} `import_no_header`, `import_empty`, `import_too_many_rows`; and whatever `records` throws
   */
  async *rows(records: AsyncIterable<string[]>): AsyncGenerator<SheetRow> {
    for await (const row of this.#belowHeader(records)) {
      const { rowNumber, cells } = row;
      if (rowNumber > IMPORT_MAX_LINES) throw new AppError('import_too_many_rows');
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (this.#isTotal(cells)) {
        this.totalRowCount += 1;
        continue;
      }
      this.rowCount += 1;
      if (this.rowCount > IMPORT_MAX_ROWS) throw new AppError('import_too_many_rows');
      yield row;
    }
    if (this.rowCount === 0) throw new AppError('import_empty');
  }

  /**
   * The rows below the line that names the columns, which may have titles above it. Where none of the first lines names those
   * that are needed, the one with the most names counts.
   *
   * @throws {AppError} `import_no_header` where that line is a person or a payment, or nothing
   */
  async *#belowHeader(records: AsyncIterable<string[]>): AsyncGenerator<SheetRow> {
    let rowNumber = 0;
    let above: SheetRow[] = [];
    let isFound = false;
    for await (const line of records) {
      rowNumber += 1;
      const row = { rowNumber, cells: line };
      if (isFound) {
        yield cutToColumns(row);
        continue;
      }
      above.push(row);
      isFound = this.#isHeader(row.cells);
      if (isFound) this.#readHeader(row);
      else if (above.length === MOST_TITLES) {
        isFound = true;
        yield* this.#withoutHeader(above);
        above = [];
      }
    }
    if (!isFound) yield* this.#withoutHeader(above);
  }

  /** @throws {AppError} `import_no_header` */
  #withoutHeader(lines: readonly SheetRow[]): readonly SheetRow[] {
    const counts = lines.map(({ cells }) => nameCountOf(cells));
    const most = Math.max(0, ...counts);
    const header = lines[counts.indexOf(most)];
    if (header === undefined) return [];
    this.#readHeader(most === 0 ? { ...header, cells: [] } : header);
    return lines.slice(lines.indexOf(header) + 1).map(cutToColumns);
  }

  /**
   * @throws {AppError} `import_no_header` where the line is a person, or nothing; `import_unreadable` where it names more
   *   columns than are read
   */
  #readHeader({ rowNumber, cells }: SheetRow): void {
    if (cells.slice(IMPORT_MAX_COLUMNS).some((cell) => cell.trim() !== '')) {
      const why = `it names more than ${IMPORT_MAX_COLUMNS} columns; delete those that are not needed`;
      throw new AppError('import_unreadable', { line: rowNumber, why });
    }
    const header = cells.slice(0, IMPORT_MAX_COLUMNS).map((cell) => cell.trim());
    if (header.every((name) => name === '') || header.some((name) => name.includes('@'))) {
      throw new AppError('import_no_header');
    }
    this.header = header;
  }
}

/** A row without the cells that are in no column with a name. */
function cutToColumns({ cells, ...row }: SheetRow): SheetRow {
  return { ...row, cells: cells.slice(0, IMPORT_MAX_COLUMNS) };
}

/** Number of columns that a line could name; zero for one with an address, an amount or a day in it, which names none. */
function nameCountOf(cells: readonly string[]): number {
  const isName = (cell: string) =>
    !/@|\d[.,]\d/.test(cell) && (/\p{L}/u.test(cell) || !/\d/.test(cell));
  return cells.every(isName) ? cells.findLastIndex((cell) => cell.trim() !== '') + 1 : 0;
}
