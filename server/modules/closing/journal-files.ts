import { JOURNAL_FORMAT_LABELS, journalKindWords, monthName } from '#contract/closing.ts';
import type { JournalFormat } from '#contract/closing.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { BYTE_ORDER_MARK, csvLine, plainCell, textCell } from '#server/lib/csv.ts';
import type { Cell } from '#server/lib/csv.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Chart } from './chart.ts';
import type { JournalLine } from './journal.ts';

/** A side of a line of the journal, with its account in the chart. */
interface Row {
  /** 1, 2, ... of the entries, one of each kind. */
  entry: number;
  what: string;
  code: string;
  name: string;
  department: string;
  debitMinor: bigint;
  creditMinor: bigint;
}

interface Journal {
  /** First day of the month: `2026-11-01`. */
  month: string;
  lastDay: string;
  currency: Currency;
  lines: readonly JournalLine[];
  /** Has all the accounts of the lines. */
  chart: Chart;
}

/**
 * The journal as a file. Its bytes follow from its argument alone: no time and no locale is in it.
 *
 * QuickBooks Online (Settings, Import Data, Journal Entries): a journal of each number, its account by name, days with the
 * month first. Xero (Manual Journals, Import): accounts by code, credits below zero, days with the day first, a journal of
 * each narration and day. Their importers take no byte order mark; a spreadsheet needs it.
 */
export function writeJournal(format: JournalFormat, journal: Journal): string {
  const { header, row, mark } = FORMATS[format];
  const lines = [
    header.map((name) => plainCell(name)),
    ...rowsOf(journal).map((one) => row(one, journal)),
  ];
  return `${mark}${lines.map(csvLine).join('')}`;
}

function rowsOf({ lines, chart }: Journal): Row[] {
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  return kinds.flatMap((kind, index) => {
    const ofKind = lines.filter((line) => line.kind === kind);
    const rows = ofKind.map((line) => ({
      entry: index + 1,
      what: journalKindWords(kind, line.count).what,
      ...invariant(chart[line.account], `account ${line.account} of the chart`),
      department: line.department,
      debitMinor: line.debitMinor,
      creditMinor: line.creditMinor,
    }));
    const debits = rows.map((one) => ({ ...one, creditMinor: 0n }));
    const credits = rows.map((one) => ({ ...one, debitMinor: 0n }));
    return [...debits, ...credits].filter((one) => one.debitMinor + one.creditMinor !== 0n);
  });
}

interface FileFormat {
  mark: string;
  header: readonly string[];
  row: (row: Row, journal: Journal) => Cell[];
}

const amountOrNothing = (minor: bigint) => plainCell(minor === 0n ? '' : decimalAmount(minor));
const entryNumber = ({ month }: Journal, { entry }: Row) =>
  plainCell(`PUR-${month.slice(0, 7)}-${String(entry).padStart(2, '0')}`);
const narration = ({ month }: Journal, { what }: Row) => plainCell(`${what}, ${monthName(month)}`);
const written = (day: string, order: (year: string, month: string, of: string) => string) => {
  const [year = '', month = '', of = ''] = day.split('-');
  return plainCell(order(year, month, of));
};

/** Name of "no tax" in Xero, by the country that the currency stands for. */
const XERO_NO_TAX: Readonly<Record<Currency, string>> = {
  USD: 'Tax Exempt',
  EUR: 'Tax Exempt',
  GBP: 'No VAT',
};

const FORMATS: Readonly<Record<JournalFormat, FileFormat>> = {
  quickbooks: {
    mark: '',
    header: [
      'JournalNo',
      'JournalDate',
      'AccountName',
      'Debits',
      'Credits',
      'Description',
      'Class',
    ],
    row: (row, journal) => [
      entryNumber(journal, row),
      written(journal.lastDay, (year, month, day) => `${month}/${day}/${year}`),
      plainCell(row.name),
      amountOrNothing(row.debitMinor),
      amountOrNothing(row.creditMinor),
      narration(journal, row),
      textCell(row.department),
    ],
  },
  xero: {
    mark: '',
    header: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    row: (row, journal) => [
      narration(journal, row),
      written(journal.lastDay, (year, month, day) => `${day}/${month}/${year}`),
      plainCell(row.name),
      plainCell(row.code),
      plainCell(XERO_NO_TAX[journal.currency]),
      plainCell(decimalAmount(row.debitMinor - row.creditMinor)),
      plainCell(row.department === '' ? '' : 'Department'),
      textCell(row.department),
      plainCell(''),
      plainCell(''),
    ],
  },
  csv: {
    mark: BYTE_ORDER_MARK,
    header: [
      'Entry',
      'Date',
      'What',
      'Account Code',
      'Account Name',
      'Department',
      'Debit',
      'Credit',
      'Currency',
    ],
    row: (row, journal) => [
      entryNumber(journal, row),
      plainCell(journal.lastDay),
      plainCell(row.what),
      plainCell(row.code),
      plainCell(row.name),
      textCell(row.department),
      amountOrNothing(row.debitMinor),
      amountOrNothing(row.creditMinor),
      plainCell(journal.currency),
    ],
  },
};

/** `journal-2026-11-quickbooks.csv`; of a month that is not closed `journal-2026-11-open-quickbooks.csv`. */
export function journalFileName(month: string, isClosed: boolean, format: JournalFormat): string {
  const label = JOURNAL_FORMAT_LABELS[format].toLowerCase().replaceAll(' ', '-');
  return `journal-${month}${isClosed ? '' : '-open'}-${label}.csv`;
}
