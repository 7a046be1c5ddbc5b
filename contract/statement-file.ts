/** A CSV file of a bank's statement: what its columns may be called, and how it writes days. */
import { findOnlyColumns } from './file-columns.ts';
import type { FileColumn, FileMapping } from './file-columns.ts';
import { dateText, dayOf } from './typed-day.ts';

export const STATEMENT_FILE_FIELDS = [
  ...([
    'bookingDay',
    'valueDay',
    'text',
    'counterparty',
    'bankReference',
    'endToEndReference',
  ] as const),
  ...(['amount', 'moneyIn', 'moneyOut', 'balance'] as const),
] as const;
export type StatementFileField = (typeof STATEMENT_FILE_FIELDS)[number];
export type StatementFileMapping = FileMapping<StatementFileField>;

/** Fields of a line. A day, and an amount or the two columns of money in and money out. */
const STATEMENT_FILE_COLUMNS: Readonly<Record<StatementFileField, FileColumn>> = {
  bookingDay: {
    label: 'Date',
    names: [
      ...['date', 'posting date', 'posted date', 'post date', 'booking date', 'transaction date'],
      ...['buchungstag', 'buchungsdatum', 'date comptable'],
    ],
  },
  valueDay: {
    label: 'Value date',
    names: ['value date', 'effective date', 'valuta', 'wertstellung'],
  },
  text: {
    label: 'Bank’s text',
    names: [
      ...['description', 'details', 'memo', 'narrative', 'text', 'transaction description'],
      ...['buchungstext', 'verwendungszweck'],
    ],
  },
  counterparty: {
    label: 'Counterparty',
    names: ['counterparty', 'name', 'payee', 'beneficiary', 'merchant', 'counterparty name'],
  },
  bankReference: {
    label: 'Bank’s reference',
    names: [
      ...[
        'bank reference',
        'transaction id',
        'transaction number',
        'reference',
        'reference number',
      ],
      ...['reference no.', 'fitid'],
    ],
  },
  endToEndReference: {
    label: 'Payer’s reference',
    names: ['payment reference', 'customer reference', 'end-to-end reference', 'end to end id'],
  },
  amount: { label: 'Amount', names: ['amount', 'transaction amount', 'betrag', 'montant'] },
  moneyIn: {
    label: 'Money in',
    names: ['credit', 'credits', 'credit amount', 'money in', 'paid in', 'deposits', 'deposit'],
  },
  moneyOut: {
    label: 'Money out',
    names: [
      ...['debit', 'debits', 'debit amount', 'money out', 'paid out', 'withdrawals', 'withdrawal'],
    ],
  },
  balance: {
    label: 'Balance',
    names: [
      'balance',
      'running balance',
      'running bal.',
      'running bal',
      'saldo',
      'account balance',
    ],
  },
};

export const STATEMENT_FILE_LABELS = Object.fromEntries(
  STATEMENT_FILE_FIELDS.map((field) => [field, STATEMENT_FILE_COLUMNS[field].label]),
) as Readonly<Record<StatementFileField, string>>;

/** Columns of a statement by their usual names; null for a field that no column, or more than one, names. */
export function findStatementColumns(header: readonly string[]): StatementFileMapping {
  return findOnlyColumns(header, STATEMENT_FILE_COLUMNS);
}

/** Columns that a file lacks, in words: "Date", "Amount, or Money in and Money out". Empty if it has all. */
export function missingStatementColumns(mapping: StatementFileMapping): string[] {
  const hasAmount =
    mapping.amount !== null || (mapping.moneyIn !== null && mapping.moneyOut !== null);
  return [
    ...(mapping.bookingDay === null ? ['Date'] : []),
    ...(hasAmount ? [] : ['Amount, or Money in and Money out']),
  ];
}

/** Order in which a file writes year, month and day. */
export const DAY_ORDERS = ['mdy', 'dmy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/**
 * Day of a cell as `2026-12-08`; undefined for what is none in this order. Slashes, dots or dashes between its parts, or
 * nothing between the eight digits of a year first. A year of two digits, which comes last, is one of
 * 2000 to 2099.
 */
export function readDayCell(cell: string, order: DayOrder): string | undefined {
  const text = dateText(cell);
  const compact = order === 'ymd' ? /^(\d{4})(\d{2})(\d{2})$/.exec(text) : null;
  const parts = compact ?? /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})$/.exec(text);
  if (parts === null) return undefined;
  const [, first = '', second = '', third = ''] = parts;
  const [year, month, day] = {
    mdy: [third, first, second],
    dmy: [third, second, first],
    ymd: [first, second, third],
  }[order] as [string, string, string];
  const isYear = year.length === 4 || (year.length === 2 && order !== 'ymd');
  if (!isYear || day.length > 2 || month.length > 2) return undefined;
  return dayOf(year.padStart(4, '20'), month, day);
}

/** Orders in which every one of these cells is a day. Several where no day is above 12. */
export function dayOrdersOf(cells: readonly string[]): DayOrder[] {
  return DAY_ORDERS.filter((order) =>
    cells.every((cell) => readDayCell(cell, order) !== undefined),
  );
}
