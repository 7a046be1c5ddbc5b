import { setImmediate as nextTurn } from 'node:timers/promises';
import { NotationCount, readAmountCell } from '#contract/amount-cells.ts';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { columnsNamedTwice } from '#contract/file-columns.ts';
import { emailRule } from '#contract/email.ts';
import type { Currency } from '#contract/money.ts';
import {
  findUsualPayColumns,
  missingUsualPayColumns,
  USUAL_PAY_FILE_COLUMNS,
  USUAL_PAY_FILE_ROWS,
} from '#contract/usual-pay-file.ts';
import type {
  UsualPayFileField,
  UsualPayFileMapping,
  UsualPayFileProblem,
} from '#contract/usual-pay-file.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { readCsv } from '#server/lib/read-csv.ts';
import { SheetReader } from '#server/lib/sheet-rows.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';

/** Rows that are read before other requests have their turn: some milliseconds. */
const ROWS_PER_TURN = 250;

/** A row of the file as far as it could be read. What could not is a problem of its own. */
export interface FileRow {
  row: number;
  employeeId: string;
  email: string;
  /** `2026-12-24`; null where it could not be read. */
  validFrom: string | null;
  /** Amounts of the cells that are not empty, in minor units. */
  amounts: { walletType: WalletType; amountMinor: bigint }[];
}

/** A file as it was read, before its people are looked up. */
export interface ReadFile {
  rows: FileRow[];
  problems: UsualPayFileProblem[];
  /** Makes an error of a cell, under the name of its column in the file. */
  problemOf: (row: number, field: UsualPayFileField, message: string) => UsualPayFileProblem;
}

/**
 * Reads a CSV file of usual pay: all of it, so that one notation is found for all amounts.
 *
 * @throws {AppError} `usual_pay_columns` where the first line does not name what is needed, `import_columns_twice`,
 *   `usual_pay_too_many`, and what is wrong with the file
 */
export async function readUsualPayFile(body: UploadBody, currency: Currency): Promise<ReadFile> {
  const sheet = new SheetReader(
    (cells) => missingUsualPayColumns(findUsualPayColumns(cells)).length === 0,
  );
  const rows: SheetRow[] = [];
  const records = readCsv(body.stream(IMPORT_MAX_BYTES, 'import_too_large'));
  try {
    for await (const row of sheet.rows(records)) {
      rows.push(row);
      if (rows.length > USUAL_PAY_FILE_ROWS) throw new AppError('usual_pay_too_many');
    }
  } catch (error) {
    const hasNone = error instanceof AppError && error.code === 'import_no_header';
    throw hasNone ? columnsMissing(findUsualPayColumns([])) : error;
  }
  const mapping = findUsualPayColumns(sheet.header);
  if (missingUsualPayColumns(mapping).length > 0) throw columnsMissing(mapping);
  const twice = columnsNamedTwice(sheet.header, USUAL_PAY_FILE_COLUMNS);
  if (twice.length > 0) throw new AppError('import_columns_twice', { columns: twice.join('; ') });
  return readRows(rows, { header: sheet.header, mapping, currency });
}

function columnsMissing(mapping: UsualPayFileMapping): AppError {
  return new AppError('usual_pay_columns', { missing: missingUsualPayColumns(mapping).join('; ') });
}

interface Read {
  header: readonly string[];
  mapping: UsualPayFileMapping;
  currency: Currency;
}

async function readRows(
  rows: readonly SheetRow[],
  { header, mapping, currency }: Read,
): Promise<ReadFile> {
  const cellOf = ({ cells }: SheetRow, field: UsualPayFileField) => {
    const index = mapping[field];
    return index === null ? '' : (cells[index] ?? '');
  };
  const byNumber = new Map(rows.map((row) => [row.rowNumber, row]));
  const problemOf: ReadFile['problemOf'] = (number, field, message) => {
    const row = byNumber.get(number);
    const index = mapping[field];
    return {
      row: number,
      column: (index === null ? undefined : header[index]) ?? USUAL_PAY_FILE_COLUMNS[field].label,
      value: row === undefined ? '' : cellOf(row, field).trim().slice(0, 100),
      message,
    };
  };
  const count = new NotationCount();
  for await (const row of inTurns(rows)) {
    for (const type of WALLET_TYPES) count.add(cellOf(row, type), currency);
  }
  const { notation } = count;
  const problems: UsualPayFileProblem[] = [];
  const read: FileRow[] = [];
  for await (const row of inTurns(rows)) {
    const note = (field: UsualPayFileField, message: string) => {
      problems.push(problemOf(row.rowNumber, field, message));
    };
    const validFrom = parseTypedDate(cellOf(row, 'validFrom')) ?? null;
    if (validFrom === null) note('validFrom', 'Not a day. Write it like 12/24/2026 or 2026-12-24.');
    const amounts = WALLET_TYPES.flatMap((walletType) => {
      const amount = readAmountCell(cellOf(row, walletType), { notation, currency });
      if (amount === null) return [];
      if (typeof amount === 'bigint') return [{ walletType, amountMinor: amount }];
      note(walletType, amount.problem);
      return [];
    });
    const employeeId = idOf(cellOf(row, 'employeeId'));
    const email = emailRule.clean(cellOf(row, 'email'));
    read.push({ row: row.rowNumber, employeeId, email, validFrom, amounts });
  }
  return { rows: read, problems, problemOf };
}

/** The rows; other requests have their turn in between. */
async function* inTurns(rows: readonly SheetRow[]): AsyncGenerator<SheetRow> {
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await nextTurn();
    yield row;
  }
}

/** An employee ID without what a spreadsheet puts around it: `="0123"`, `'0123`. */
function idOf(cell: string): string {
  const text = cell.trim();
  return (/^="([^"]*)"$/.exec(text)?.[1] ?? text.replace(/^'/, '')).trim().toUpperCase();
}
