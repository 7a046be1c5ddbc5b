/** A CSV file of a bank's statement: what its columns may be called, and how it writes days. */
import { isTotalRow } from './employee-import.ts';
import { findOnlyColumns, plainHeading } from './file-columns.ts';
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
  ...(['amount', 'direction', 'moneyIn', 'moneyOut', 'balance', 'status'] as const),
] as const;
export type StatementFileField = (typeof STATEMENT_FILE_FIELDS)[number];
export type StatementFileMapping = FileMapping<StatementFileField>;

/** Fields of a line. A day, and an amount or the two columns of money in and money out. */
const STATEMENT_FILE_COLUMNS: Readonly<Record<StatementFileField, FileColumn>> = {
  bookingDay: {
    label: 'Date',
    names: [
      'date',
      'posting date',
      'posted date',
      'post date',
      'booking date',
      'transaction date',
      'date (utc)',
      'buchungstag',
      'buchungsdatum',
      'date comptable',
    ],
  },
  valueDay: {
    label: 'Value date',
    names: ['value date', 'effective date', 'valuta', 'wertstellung'],
  },
  text: {
    label: 'Bank’s text',
    names: [
      'description',
      'details',
      'memo',
      'narrative',
      'text',
      'transaction description',
      'buchungstext',
      'verwendungszweck',
    ],
  },
  counterparty: {
    label: 'Counterparty',
    names: ['counterparty', 'name', 'payee', 'beneficiary', 'merchant', 'counterparty name'],
  },
  bankReference: {
    label: 'Bank’s reference',
    names: [
      'bank reference',
      'transaction id',
      'transaction number',
      'reference',
      'reference number',
      'reference no.',
      'fitid',
    ],
  },
  endToEndReference: {
    label: 'Payer’s reference',
    names: ['payment reference', 'customer reference', 'end-to-end reference', 'end to end id'],
  },
  amount: { label: 'Amount', names: ['amount', 'transaction amount', 'betrag', 'montant'] },
  direction: {
    label: 'Debit or credit',
    names: [
      'debit/credit',
      'credit/debit',
      'debit or credit',
      'credit or debit',
      'dr/cr',
      'cr/dr',
      'd/c',
      'c/d',
      'credit debit indicator',
      'debit credit indicator',
      'soll/haben',
    ],
  },
  moneyIn: {
    label: 'Money in',
    names: ['credit', 'credits', 'credit amount', 'money in', 'paid in', 'deposits', 'deposit'],
  },
  moneyOut: {
    label: 'Money out',
    names: [
      'debit',
      'debits',
      'debit amount',
      'money out',
      'paid out',
      'withdrawals',
      'withdrawal',
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
  status: {
    label: 'Status',
    names: [
      'status',
      'transaction status',
      'booking status',
      'posting status',
      'payment status',
      'buchungsstatus',
      'statut',
    ],
  },
};

export const STATEMENT_FILE_LABELS = Object.fromEntries(
  STATEMENT_FILE_FIELDS.map((field) => [field, STATEMENT_FILE_COLUMNS[field].label]),
) as Readonly<Record<StatementFileField, string>>;

/**
 * Columns of a statement by their usual names; null for a field that no column, or more than one, names. Of several columns
 * with the bank's words the likeliest is taken, because no amount depends on them.
 */
export function findStatementColumns(header: readonly string[]): StatementFileMapping {
  const headings = header.map(plainHeading);
  const named = STATEMENT_FILE_COLUMNS.text.names.map((name) => headings.indexOf(name));
  return {
    ...findOnlyColumns(header, STATEMENT_FILE_COLUMNS),
    text: named.find((index) => index >= 0) ?? null,
  };
}

/** True for a column that has to say of each line if it is booked. */
export function isStatusHeading(heading: string): boolean {
  return STATEMENT_FILE_COLUMNS.status.names.includes(plainHeading(heading));
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

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/**
 * Day of a cell as `2026-12-08`; undefined for what is none in this order. Slashes, dots or dashes between its parts, or
 * nothing between the eight digits of a year first. A month may have its English name, and then the order does not
 * count: `8 Dec 2026`, `Dec 8, 2026`. A time of day may follow. A year of two digits, which comes last, is one of
 * 2000 to 2099.
 */
export function readDayCell(cell: string, order: DayOrder): string | undefined {
  const text = dateText(cell).replace(/[ T]\d{1,2}:\d{2}.*$/, '');
  const compact = order === 'ymd' ? /^(\d{4})(\d{2})(\d{2})$/.exec(text) : null;
  const parts = compact ?? /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})$/.exec(text);
  if (parts === null) return namedDay(text);
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

/** Day whose month has its name or the beginning of it, three letters or more. */
function namedDay(text: string): string | undefined {
  const dayFirst = /^(\d{1,2})[ .-]([a-z]{3,9})[ .-]+(\d{2}|\d{4})$/i.exec(text);
  const monthFirst = /^([a-z]{3,9})[ .]+(\d{1,2}),? (\d{4})$/i.exec(text);
  const [, day = '', name = '', year = ''] =
    dayFirst ?? [0, 2, 1, 3].map((index) => monthFirst?.[index]);
  const month = MONTHS.findIndex((each) => name !== '' && each.startsWith(name.toLowerCase()));
  return month < 0 ? undefined : dayOf(year.padStart(4, '20'), String(month + 1), day);
}

/** Order in which all of these cells are days, without those that are none; null where two orders read different days. */
export function dayOrderOf(cells: readonly string[]): DayOrder | null {
  const read = cells
    .map((cell) => DAY_ORDERS.map((order) => readDayCell(cell, order)))
    .filter((days) => days.some((day) => day !== undefined));
  if (read.length === 0) return null;
  const daysBy = (order: DayOrder) => read.map((days) => days[DAY_ORDERS.indexOf(order)]);
  const possible = DAY_ORDERS.filter((order) => daysBy(order).every((day) => day !== undefined));
  const [first, ...others] = possible;
  if (first === undefined) return null;
  const found = daysBy(first);
  const isOnly = others.every((order) => daysBy(order).every((day, at) => day === found[at]));
  return isOnly ? first : null;
}

/**
 * True for a row of a statement that sums up others, "Total" or "Total debits". One with a day is a payment, such as to
 * Total Wine, unless its first cell has no other word.
 */
export function isStatementTotal(cells: readonly string[]): boolean {
  if (!isTotalRow(cells)) return false;
  const first = cells.map((cell) => cell.trim()).find((cell) => cell !== '') ?? '';
  const hasDay = cells.some((cell) => DAY_ORDERS.some((order) => readDayCell(cell, order)));
  return !hasDay || /^(?:grand |sub)?totals?:?$/i.test(first);
}
