import { setImmediate as nextTurn } from 'node:timers/promises';
import { NotationCount } from '#contract/amount-cells.ts';
import type { Notation } from '#contract/amount-cells.ts';
import { emailRule } from '#contract/email.ts';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { currencyOfHeading, plainHeading } from '#contract/file-columns.ts';
import type { FileMapping, FileProblem } from '#contract/file-columns.ts';
import { currencySymbol } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { readCsv } from '#server/lib/read-csv.ts';
import { SheetReader } from '#server/lib/sheet-rows.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';

/** Rows that are read before other requests have their turn: some milliseconds. */
const ROWS_PER_TURN = 250;
/** Characters of a cell that an error shows. */
const SHOWN_LENGTH = 100;

const FILE_NAME_LENGTH = 200;

/** Name of a file as it is kept: what a browser sent, without control characters. @param otherwise where nothing is left */
export function fileNameOf(sent: string, otherwise: string): string {
  const name = sent.replaceAll(/\p{Cc}/gu, '').slice(0, FILE_NAME_LENGTH);
  return name === '' ? otherwise : name;
}

/** A file in memory. */
export interface Sheet {
  header: readonly string[];
  rows: readonly SheetRow[];
}

interface SheetRules {
  /** True for the line that names the columns. Without one the first line counts. */
  isHeader: (cells: readonly string[]) => boolean;
  /** True for a line that sums up the rows, by default one that begins with "Total". */
  isTotal?: (cells: readonly string[]) => boolean;
  /** Most rows, and the refusal of more. */
  most: number;
  tooMany: ErrorCode;
}

/**
 * Reads a whole CSV file, for files of which all amounts have one notation.
 *
 * @throws {AppError} `tooMany`; and what is wrong with the file, as `readCsv` and `SheetReader`
 */
export async function readSheet(body: UploadBody, rules: SheetRules): Promise<Sheet> {
  return readSheetOf(body.stream(IMPORT_MAX_BYTES, 'import_too_large'), rules);
}

/** As `readSheet`, for bytes that are bounded already. */
export async function readSheetOf(
  bytes: AsyncIterable<Uint8Array>,
  { isHeader, isTotal, most, tooMany }: SheetRules,
): Promise<Sheet> {
  const sheet = new SheetReader(isHeader, isTotal);
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows(readCsv(bytes))) {
    rows.push(row);
    if (rows.length > most) throw new AppError(tooMany);
  }
  return { header: sheet.header, rows };
}

/** A file of which is known what each column is. */
export class MappedSheet<Field extends string> {
  readonly #sheet: Sheet;
  readonly #mapping: FileMapping<Field>;
  readonly #labels: Readonly<Record<Field, string>>;
  /** Columns that are read. */
  readonly #mapped: readonly number[];

  /** @param labels names of the fields, for errors in a column that the file has not */
  constructor(sheet: Sheet, mapping: FileMapping<Field>, labels: Readonly<Record<Field, string>>) {
    this.#sheet = sheet;
    this.#mapping = mapping;
    this.#mapped = Object.values<number | null>(mapping).flatMap((index) => index ?? []);
    this.#labels = labels;
  }

  cellOf({ cells }: SheetRow, field: Field): string {
    const index = this.#mapping[field];
    return index === null ? '' : (cells[index] ?? '');
  }

  /** An employee ID without what a spreadsheet puts around it, such as `="0123"` and `'0123`. Empty if there is none. */
  employeeIdOf(row: SheetRow, field: Field): string {
    const text = this.cellOf(row, field).trim();
    return (/^="([^"]*)"$/.exec(text)?.[1] ?? text.replace(/^'/, '')).trim().toUpperCase();
  }

  emailOf(row: SheetRow, field: Field): string {
    return emailRule.clean(this.cellOf(row, field));
  }

  problemOf(row: SheetRow, field: Field, message: string): FileProblem {
    const index = this.#mapping[field];
    return {
      row: row.rowNumber,
      column: (index === null ? undefined : this.#sheet.header[index]) ?? this.#labels[field],
      value: this.cellOf(row, field).trim().slice(0, SHOWN_LENGTH),
      message,
    };
  }

  /**
   * Error of a row whose amounts may be others than their cells say; null if there is none. It has a cell behind the last column, as
   * `EMP-7,1,234.50` has where no quotes are around an amount, or it names another currency.
   */
  strayOf({ rowNumber, cells }: SheetRow, currency: Currency): FileProblem | null {
    const { header } = this.#sheet;
    const problemAt = (index: number, message: string): FileProblem => ({
      row: rowNumber,
      column: header[index] ?? String(index + 1),
      value: (cells[index] ?? '').trim().slice(0, SHOWN_LENGTH),
      message,
    });
    const extra = cells.findIndex((cell, index) => index >= header.length && cell.trim() !== '');
    if (extra >= 0) return problemAt(extra, BEHIND_LAST);
    const otherwise = this.#mapped.find(
      (index) => (cells[index] ?? '').trim() !== '' && isOtherIn(header[index] ?? '', currency),
    );
    if (otherwise !== undefined) return problemAt(otherwise, `Its column is not in ${currency}.`);
    const foreign = cells.findIndex(
      (cell, index) =>
        CURRENCY_HEADINGS.has(plainHeading(header[index] ?? '')) && isForeign(cell, currency),
    );
    return foreign < 0 ? null : problemAt(foreign, `Not in ${currency}.`);
  }

  /** The rows; other requests have their turn in between. */
  async *rows(): AsyncGenerator<SheetRow> {
    for (const [index, row] of this.#sheet.rows.entries()) {
      if (index % ROWS_PER_TURN === 0) await nextTurn();
      yield row;
    }
  }

  /** The notation that most amounts of these columns have. */
  async notationOf(fields: readonly Field[], currency: Currency): Promise<Notation> {
    const count = new NotationCount();
    for await (const row of this.rows()) {
      for (const field of fields) count.add(this.cellOf(row, field), currency);
    }
    return count.notation;
  }
}

/** True for the name of a column that ends with another currency. */
function isOtherIn(heading: string, currency: Currency): boolean {
  const named = currencyOfHeading(heading);
  return named !== null && named !== currency && named !== currencySymbol(currency);
}

const BEHIND_LAST =
  'Behind the last column. Put quotes around an amount or a text with a comma in it.';

/** Names of a column with the currency of the amounts in its row. */
const CURRENCY_HEADINGS: ReadonlySet<string> = new Set([
  'currency',
  'currency code',
  'ccy',
  'währung',
  'waehrung',
  'devise',
]);

/** True for the code or the symbol of another currency, and a number. Other words decide nothing. */
function isForeign(cell: string, currency: Currency): boolean {
  const text = cell.trim().toUpperCase();
  if (text === currency || text === currencySymbol(currency)) return false;
  return /^(?:[A-Z]{3}|\p{Sc})$|\d/u.test(text);
}
