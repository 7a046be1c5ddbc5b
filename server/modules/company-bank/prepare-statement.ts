import { createHash } from 'node:crypto';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { FileProblem } from '#contract/file-columns.ts';
import { formatMoney, money } from '#contract/money.ts';
import { missingStatementColumns, STATEMENT_FILE_FIELDS } from '#contract/statement-file.ts';
import type { StatementFileMapping } from '#contract/statement-file.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { recallColumns } from '../imports/index.ts';
import type { Sheet } from '../imports/index.ts';
import { checkAccount } from './accounts.ts';
import type { AccountRow } from './accounts.ts';
import { identified, knownLines } from './keep-lines.ts';
import type { IdentifiedLine } from './keep-lines.ts';
import { readCsvStatement } from './statements/read-csv-statement.ts';
import type { CsvChoice } from './statements/read-csv-statement.ts';
import { guessCsvChoice, sheetColumns } from './statements/read-statement-file.ts';
import type { StatementFile } from './statements/read-statement-file.ts';
import { sumNotBooked } from './statements/line-words.ts';
import { checkDays, checkOneAccount, checkStatements, sumMinor } from './statements/statement.ts';
import type { Statement } from './statements/statement.ts';

export type StatementNeeds = Pick<Services, 'clock' | 'vault'>;
export type StatementCheck = RouteReply<'adminCheckStatement'>;
export type Reading = RouteArguments<'adminCheckStatement'>['query'];

const SAMPLE_ROWS = 3;

/** True if a statement ends on a later day than the account's last one. */
export function isLater({ lastDay }: AccountRow, day: string): boolean {
  return lastDay === null || day > lastDay;
}

export interface ReadUpload {
  file: StatementFile;
  /** SHA-256 of its bytes. */
  hash: Buffer;
}

/** The new lines of a file, and the balances around them. */
interface Ready {
  from: string;
  to: string;
  lines: IdentifiedLine[];
  openingMinor: bigint;
  closingMinor: bigint;
}

interface Prepared {
  check: StatementCheck;
  /** Null while choices are missing or cells have errors. */
  ready: Ready | null;
  choice: CsvChoice | null;
}

/**
 * Reads what a file has for an account, and what is new of it.
 *
 * @throws {AppError} as `checkStatement`
 */
export async function prepareStatement(
  reader: Reader,
  services: StatementNeeds,
  account: AccountRow,
  { file, hash, query }: ReadUpload & { query: Reading },
): Promise<Prepared> {
  if (file.format !== 'csv') {
    return {
      ...(await compare(reader, services, account, { file, hash, statements: file.statements })),
      choice: null,
    };
  }
  const { sheet } = file;
  const { mapping, rivals, dayOrder, notation } = await choiceOf(reader, account, sheet, query);
  const missing = [
    ...missingStatementColumns(mapping),
    ...rivals,
    ...(dayOrder === null && mapping.bookingDay !== null ? ['Order of days'] : []),
  ];
  const csv = {
    header: [...sheet.header],
    samples: sheet.rows.slice(0, SAMPLE_ROWS).map(({ cells }) => [...cells]),
    columns: mapping,
    dayOrder,
    notation,
    missing,
    problems: [] as FileProblem[],
    problemCount: 0,
  };
  const unread = (changes: Partial<typeof csv>): Prepared => ({
    check: {
      format: 'csv',
      period: null,
      lines: sheet.rows.length,
      known: 0,
      notBooked: [],
      opening: null,
      closing: null,
      sum: money(0n, account.currency),
      csv: { ...csv, ...changes },
      hash: '',
    },
    ready: null,
    choice: null,
  });
  if (missing.length > 0 || dayOrder === null) return unread({});
  const choice = { mapping, dayOrder, notation };
  const read = await readCsvStatement(sheet, account.currency, choice, account.closingMinor);
  if ('problems' in read) return unread({ ...read, problems: [...read.problems] });
  const statement = await closed(reader, account, read.statement, query.closing);
  if (statement === null) return unread({ missing: ['Closing balance'] });
  checkStatements([statement]);
  const statements = [statement];
  const compared = await compare(reader, services, account, { file, hash, statements });
  return { ...compared, check: { ...compared.check, csv }, choice };
}

/**
 * A statement without balances, with the closing balance that somebody typed. It opens as the last one closed, less the
 * lines that are known already. Null where nobody typed one.
 */
async function closed(
  reader: Reader,
  account: AccountRow,
  statement: Statement,
  typed: string | undefined,
): Promise<Statement | null> {
  if (statement.closing !== null) return statement;
  if (typed === undefined) return null;
  const lines = identified(statement.lines);
  const days = lines.map(({ bookingDay }) => bookingDay).toSorted();
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  const closing = { day: to, amountMinor: BigInt(typed) };
  const known = await knownLines(reader, account.id, lines);
  const opening =
    account.closingMinor === null
      ? closing.amountMinor - sumMinor(lines)
      : account.closingMinor - sumMinor(lines.filter(({ key }) => known.has(key)));
  return { ...statement, opening: { day: from, amountMinor: opening }, closing };
}

async function choiceOf(reader: Reader, account: AccountRow, sheet: Sheet, query: Reading) {
  const known = await recallColumns<CsvChoice>(reader, {
    purpose: purposeOf(account.id),
    header: sheet.header,
  });
  const chosen = STATEMENT_FILE_FIELDS.some((field) => query[field] !== undefined);
  const { mapping, rivals } = chosen
    ? { mapping: chosenColumns(sheet, query), rivals: [] }
    : sheetColumns(sheet, known?.mapping);
  const guess = await guessCsvChoice(sheet, account.currency, mapping);
  return {
    mapping,
    rivals,
    dayOrder: query.dayOrder ?? guess.dayOrder ?? known?.dayOrder ?? null,
    notation: query.notation ?? known?.notation ?? guess.notation,
  };
}

/** @throws {AppError} `invalid_request` for a column that the file has not, or that is chosen twice */
function chosenColumns({ header }: Sheet, query: Reading): StatementFileMapping {
  const taken = new Set<number>();
  const columnOf = (field: (typeof STATEMENT_FILE_FIELDS)[number]): number | null => {
    const index = query[field];
    if (index === undefined) return null;
    if (index >= header.length || taken.has(index)) {
      throw new AppError('invalid_request', {}, [
        {
          path: field,
          message: taken.has(index)
            ? 'This column is another one already'
            : 'The file has no such column',
        },
      ]);
    }
    taken.add(index);
    return index;
  };
  return Object.fromEntries(
    STATEMENT_FILE_FIELDS.map((field) => [field, columnOf(field)]),
  ) as StatementFileMapping;
}

/** Columns are kept for each account, because banks use the same headings for other things. */
export function purposeOf(accountId: string): string {
  return `statement ${accountId}`;
}

/** Compares the statements of a file with the calendar, and with what the account has: number, currency, known lines, balances. */
async function compare(
  reader: Reader,
  { clock, vault }: StatementNeeds,
  account: AccountRow,
  { file, hash, statements }: ReadUpload & { statements: readonly Statement[] },
): Promise<Omit<Prepared, 'choice'>> {
  checkOneAccount(statements);
  for (const statement of statements) {
    checkAccount(vault, account, statement.account);
    if (statement.currency !== account.currency) {
      throw new AppError('statement_currency', {
        currency: statement.currency,
        expected: account.currency,
      });
    }
  }
  const { timeZone } = await readSettings(reader);
  checkDays(statements, addDays(dayIn(timeZone, clock.now()), 1));
  const all = identified(statements.flatMap(({ lines }) => lines));
  const known = await knownLines(reader, account.id, all);
  const lines = all.filter((line) => !known.has(line.key));
  const opening = statements[0]?.opening ?? null;
  const closing = statements.at(-1)?.closing ?? null;
  if (opening === null || closing === null)
    throw new AppError('statement_choices', { missing: 'Closing balance' });
  const sum = sumMinor(lines);
  const openingMinor = closing.amountMinor - sum;
  const write = (minor: bigint) => formatMoney(money(minor, account.currency));
  const days = [opening.day, closing.day, ...all.map(({ bookingDay }) => bookingDay)].toSorted();
  const [from, to] = [days[0] ?? opening.day, days.at(-1) ?? closing.day];
  // A file that has nothing new may be an old one, which closed with what the account had then.
  const isNew = lines.length > 0 || isLater(account, to);
  if (account.closingMinor !== null && openingMinor !== account.closingMinor && isNew) {
    throw new AppError('statement_gap', {
      opening: write(openingMinor),
      closing: write(account.closingMinor),
    });
  }
  const order = [
    account.id,
    account.lastNumber,
    hash.toString('hex'),
    file.format,
    lines.map(({ key }) => key),
  ];
  return {
    check: {
      format: file.format,
      period: { from, to },
      lines: lines.length,
      known: all.length - lines.length,
      notBooked: sumNotBooked(statements.flatMap(({ notBooked }) => notBooked)),
      opening: money(openingMinor, account.currency),
      sum: money(sum, account.currency),
      closing: money(closing.amountMinor, account.currency),
      csv: null,
      hash: createHash('sha256')
        .update(JSON.stringify([...order, String(closing.amountMinor)]))
        .digest('hex'),
    },
    ready: { from, to, lines, openingMinor, closingMinor: closing.amountMinor },
  };
}
