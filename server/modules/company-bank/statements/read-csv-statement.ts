import { readSignedAmountCell } from '#contract/amount-cells.ts';
import type { Notation } from '#contract/amount-cells.ts';
import type { FileProblem } from '#contract/file-columns.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { readDayCell, STATEMENT_FILE_LABELS } from '#contract/statement-file.ts';
import type {
  DayOrder,
  StatementFileField,
  StatementFileMapping,
} from '#contract/statement-file.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';
import { MappedSheet } from '../../imports/index.ts';
import type { Sheet } from '../../imports/index.ts';
import { isBookedWord, isDebitWord, NotBookedCount } from './line-words.ts';
import { statementProblem, statementText, statementWord } from './statement.ts';
import type { Statement, StatementLine } from './statement.ts';

/** Most errors of a file that are kept. */
const MOST_PROBLEMS = 200;

/** Meaning of a CSV file's columns, and how it writes days and amounts. */
export interface CsvChoice {
  readonly mapping: StatementFileMapping;
  readonly dayOrder: DayOrder;
  readonly notation: Notation;
}

/** A CSV file that was read: its statement, or its errors with their whole number. */
export type CsvStatement =
  | { readonly statement: Statement }
  | { readonly problems: readonly FileProblem[]; readonly problemCount: number };

/**
 * Statement of a CSV file, not yet checked by `checkStatements`. Rows without an amount that have a balance, such as
 * "Opening balance", are compared and are no lines; they may lack a day. With a column of balances each must be the one before with the line,
 * in the order of the file or the opposite one; the first and the last are the statement's own. Without one the statement
 * has no balances. Rows that are not booked by a column of statuses are left out and counted.
 *
 * @param formerMinor closing balance of the account's last statement, which decides where lines of one day follow each other
 *   in both orders
 */
export async function readCsvStatement(
  sheet: Sheet,
  currency: Currency,
  choice: CsvChoice,
  formerMinor: bigint | null,
): Promise<CsvStatement> {
  const reader = new RowReader(sheet, currency, choice);
  const rows: CsvRow[] = [];
  for await (const row of reader.sheet.rows()) {
    const read = reader.read(row);
    if (read !== null) rows.push(read);
  }
  const ordered = reader.problemCount === 0 ? reader.inOrder(rows, formerMinor) : rows;
  const { problems, problemCount } = reader;
  if (problemCount > 0) return { problems, problemCount };
  const lines = ordered.flatMap(({ line }) => line ?? []);
  const balances = balancesOf(ordered);
  const notBooked = reader.notBooked.all;
  if (lines.length === 0 && balances.closing === null) {
    const why =
      notBooked.length > 0 ? 'none of its lines is booked' : 'all of its amounts are zero';
    throw statementProblem('The file', why);
  }
  return { statement: { account: null, currency, ...balances, lines, notBooked } };
}

/** A row of the file. @field line null for a row that has a balance alone, which may lack a day */
interface CsvRow {
  row: SheetRow;
  day: string | null;
  line: StatementLine | null;
  balanceMinor: bigint | null;
}

class RowReader {
  readonly sheet: MappedSheet<StatementFileField>;
  readonly problems: FileProblem[] = [];
  problemCount = 0;
  readonly notBooked = new NotBookedCount();
  readonly #currency: Currency;
  readonly #choice: CsvChoice;

  constructor(sheet: Sheet, currency: Currency, choice: CsvChoice) {
    this.sheet = new MappedSheet(sheet, choice.mapping, STATEMENT_FILE_LABELS);
    this.#currency = currency;
    this.#choice = choice;
  }

  /** Null for a row with an error, which is kept, and for one that is not booked, which is counted. */
  read(row: SheetRow): CsvRow | null {
    const before = this.problemCount;
    const stray = this.sheet.strayOf(row, this.#currency);
    if (stray !== null) this.#keep(stray);
    const status = this.sheet.cellOf(row, 'status');
    // A pending line may have no day and no balance yet.
    if (isBookedWord(status) === false) {
      this.notBooked.add(status);
      return null;
    }
    const balanceMinor = this.#amountOf(row, 'balance');
    const amountMinor = this.#signedAmountOf(row);
    if (this.problemCount === before && amountMinor === null && balanceMinor !== null) {
      const balanceDay = readDayCell(this.sheet.cellOf(row, 'bookingDay'), this.#choice.dayOrder);
      return { row, day: balanceDay ?? null, line: null, balanceMinor };
    }
    const day = this.#dayOf(row, 'bookingDay');
    const hasValueDay = this.sheet.cellOf(row, 'valueDay').trim() !== '';
    const valueDay = hasValueDay ? this.#dayOf(row, 'valueDay') : null;
    if (this.problemCount === before && amountMinor === null)
      this.#add(row, 'amount', 'Empty. Each line needs an amount.');
    if (this.#choice.mapping.status !== null && isBookedWord(status) === undefined)
      this.#add(row, 'status', 'Not known as the status of a booked or a pending line.');
    if (this.problemCount > before || day === undefined) return null;
    const word = (field: StatementFileField) => statementWord(this.sheet.cellOf(row, field));
    const line: StatementLine | null =
      amountMinor === null || amountMinor === 0n
        ? null
        : {
            place: `Line ${row.rowNumber}`,
            bookingDay: day,
            valueDay: valueDay ?? null,
            amountMinor,
            bankReference: word('bankReference'),
            endToEndReference: word('endToEndReference'),
            trace: null,
            batchReference: null,
            isReversal: false,
            parts: [],
            text: statementText([this.sheet.cellOf(row, 'text')]),
            counterparty: word('counterparty'),
          };
    return { row, day, line, balanceMinor };
  }

  /** Rows with the oldest first. Keeps an error at the first balance that does not follow from the one before. */
  inOrder(rows: readonly CsvRow[], formerMinor: bigint | null): readonly CsvRow[] {
    const reversed = rows.toReversed();
    const days = daysOf(rows);
    const isNewestFirst = (days[0] ?? '') > (days.at(-1) ?? '');
    const [likely, other] = isNewestFirst ? [reversed, rows] : [rows, reversed];
    const wrong = wrongBalanceOf(likely);
    const follows = (order: readonly CsvRow[]) =>
      balancesOf(order).opening?.amountMinor === formerMinor;
    if (wrongBalanceOf(other) === null) {
      return wrong === null && (follows(likely) || !follows(other)) ? likely : other;
    }
    if (wrong === null) return likely;
    const expected = decimalAmount(wrong.expected);
    this.#add(wrong.row, 'balance', `With the line before it is ${expected}.`);
    return likely;
  }

  /** Minor units, below zero for money out; null where the row has no amount, or one with an error. */
  #signedAmountOf(row: SheetRow): bigint | null {
    if (this.#choice.mapping.amount !== null) return this.#directedAmountOf(row);
    const moneyIn = this.#amountOf(row, 'moneyIn');
    const moneyOut = this.#amountOf(row, 'moneyOut');
    if (moneyIn !== null && moneyIn < 0n)
      this.#add(row, 'moneyIn', 'Negative in the column of money in.');
    // Banks write money out with or without a minus in its own column.
    const out = moneyOut === null ? null : moneyOut < 0n ? moneyOut : -moneyOut;
    if (moneyIn !== null && moneyIn !== 0n && out !== null && out !== 0n) {
      this.#add(row, 'moneyOut', 'The line has money in as well.');
    }
    if (moneyIn === null) return out;
    return moneyIn === 0n ? (out ?? 0n) : moneyIn;
  }

  /** Amount of a file with one column of amounts, whose sign another column may have. */
  #directedAmountOf(row: SheetRow): bigint | null {
    const amount = this.#amountOf(row, 'amount');
    if (amount === null || amount === 0n || this.#choice.mapping.direction === null) return amount;
    const isOut = isDebitWord(this.sheet.cellOf(row, 'direction'));
    if (isOut === undefined) this.#add(row, 'direction', 'Neither a debit nor a credit.');
    if (amount > 0n) return isOut === true ? -amount : amount;
    if (isOut !== true) this.#add(row, 'amount', 'Negative, and the line is a credit.');
    return amount;
  }

  #amountOf(row: SheetRow, field: StatementFileField): bigint | null {
    const { notation } = this.#choice;
    const read = readSignedAmountCell(this.sheet.cellOf(row, field), {
      notation,
      currency: this.#currency,
    });
    if (typeof read === 'bigint' || read === null) return read;
    this.#add(row, field, read.problem);
    return null;
  }

  #dayOf(row: SheetRow, field: StatementFileField): string | undefined {
    const day = readDayCell(this.sheet.cellOf(row, field), this.#choice.dayOrder);
    if (day === undefined) this.#add(row, field, 'Not a day as this file writes them.');
    return day;
  }

  #add(row: SheetRow, field: StatementFileField, message: string): void {
    this.#keep(this.sheet.problemOf(row, field, message));
  }

  #keep(problem: FileProblem): void {
    this.problemCount += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }
}

/** The first row, the oldest first, whose balance is not the one before with what is booked between; null if none is. */
function wrongBalanceOf(rows: readonly CsvRow[]): { row: SheetRow; expected: bigint } | null {
  let current: bigint | null = null;
  for (const { row, line, balanceMinor } of rows) {
    if (current !== null) current += line?.amountMinor ?? 0n;
    if (balanceMinor === null) continue;
    if (current !== null && current !== balanceMinor) return { row, expected: current };
    current = balanceMinor;
  }
  return null;
}

function daysOf(rows: readonly CsvRow[]): string[] {
  return rows.flatMap(({ day }) => day ?? []);
}

/** Balances before the first line and after the last, the oldest first. Null without a column of balances. */
function balancesOf(rows: readonly CsvRow[]): Pick<Statement, 'opening' | 'closing'> {
  const days = daysOf(rows);
  const [first, last] = [days[0], days.at(-1)];
  const known = rows.findIndex(({ balanceMinor }) => balanceMinor !== null);
  if (first === undefined || last === undefined || known < 0)
    return { opening: null, closing: null };
  const sum = (some: readonly CsvRow[]) =>
    some.reduce((total, { line }) => total + (line?.amountMinor ?? 0n), 0n);
  const opening = (rows[known]?.balanceMinor ?? 0n) - sum(rows.slice(0, known + 1));
  return {
    opening: { day: first, amountMinor: opening },
    closing: { day: last, amountMinor: opening + sum(rows) },
  };
}
