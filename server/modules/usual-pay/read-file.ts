import { readAmountCell } from '#contract/amount-cells.ts';
import { columnsNamedTwice } from '#contract/file-columns.ts';
import type { FileProblem } from '#contract/file-columns.ts';
import type { Currency } from '#contract/money.ts';
import {
  findUsualPayColumns,
  missingUsualPayColumns,
  USUAL_PAY_FILE_COLUMNS,
  USUAL_PAY_FILE_ROWS,
} from '#contract/usual-pay-file.ts';
import type { UsualPayFileField, UsualPayFileMapping } from '#contract/usual-pay-file.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import { AppError } from '#server/lib/errors.ts';
import { MappedSheet, readSheet } from '#server/modules/imports/index.ts';
import type { NamedRow } from '#server/modules/imports/index.ts';

/** A row of the file as far as it could be read. What could not is a problem of its own. */
export interface FileRow extends NamedRow {
  /** `2026-12-24`; null where it could not be read. */
  validFrom: string | null;
  /** Amounts of the cells that are not empty, in minor units. */
  amounts: { walletType: WalletType; amountMinor: bigint }[];
  /** Makes an error of a cell, under the name of its column in the file. */
  problemOf: (field: UsualPayFileField, message: string) => FileProblem;
}

/** A file as it was read, before its people are looked up. */
export interface ReadFile {
  rows: FileRow[];
  problems: FileProblem[];
}

/**
 * Reads a CSV file of usual pay.
 *
 * @throws {AppError} `usual_pay_columns` where the first line does not name what is needed, `import_columns_twice`,
 *   `usual_pay_too_many`, and what is wrong with the file
 */
export async function readUsualPayFile(body: UploadBody, currency: Currency): Promise<ReadFile> {
  const read = readSheet(body, {
    isHeader: (cells) => missingUsualPayColumns(findUsualPayColumns(cells)).length === 0,
    most: USUAL_PAY_FILE_ROWS,
    tooMany: 'usual_pay_too_many',
  });
  const { header, rows } = await read.catch((error: unknown) => {
    const hasNone = error instanceof AppError && error.code === 'import_no_header';
    throw hasNone ? columnsMissing(findUsualPayColumns([])) : error;
  });
  const mapping = findUsualPayColumns(header);
  if (missingUsualPayColumns(mapping).length > 0) throw columnsMissing(mapping);
  const twice = columnsNamedTwice(header, USUAL_PAY_FILE_COLUMNS);
  if (twice.length > 0) throw new AppError('import_columns_twice', { columns: twice.join('; ') });
  return readRows(new MappedSheet({ header, rows }, mapping, LABELS), currency);
}

const LABELS = Object.fromEntries(
  Object.entries(USUAL_PAY_FILE_COLUMNS).map(([field, { label }]) => [field, label]),
) as Record<UsualPayFileField, string>;

function columnsMissing(mapping: UsualPayFileMapping): AppError {
  return new AppError('usual_pay_columns', { missing: missingUsualPayColumns(mapping).join('; ') });
}

async function readRows(
  sheet: MappedSheet<UsualPayFileField>,
  currency: Currency,
): Promise<ReadFile> {
  const notation = await sheet.notationOf(WALLET_TYPES, currency);
  const problems: FileProblem[] = [];
  const rows: FileRow[] = [];
  for await (const row of sheet.rows()) {
    const problemOf: FileRow['problemOf'] = (field, message) =>
      sheet.problemOf(row, field, message);
    const stray = sheet.strayOf(row, currency);
    if (stray !== null) problems.push(stray);
    const validFrom = parseTypedDate(sheet.cellOf(row, 'validFrom')) ?? null;
    if (validFrom === null) {
      problems.push(problemOf('validFrom', 'Not a day. Write it like 12/24/2026 or 2026-12-24.'));
    }
    const amounts = WALLET_TYPES.flatMap((walletType) => {
      const amount = readAmountCell(sheet.cellOf(row, walletType), { notation, currency });
      if (amount === null) return [];
      if (typeof amount === 'bigint') return [{ walletType, amountMinor: amount }];
      problems.push(problemOf(walletType, amount.problem));
      return [];
    });
    rows.push({
      row: row.rowNumber,
      employeeId: sheet.employeeIdOf(row, 'employeeId'),
      email: sheet.emailOf(row, 'email'),
      validFrom,
      amounts,
      problemOf,
    });
  }
  return { rows, problems };
}
