import { createHash } from 'node:crypto';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { STATEMENT_MAX_BYTES } from '#contract/company-bank.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { FileProblem } from '#contract/file-columns.ts';
import { formatMoney, money } from '#contract/money.ts';
import {
  findStatementColumns,
  missingStatementColumns,
  STATEMENT_FILE_FIELDS,
} from '#contract/statement-file.ts';
import type { StatementFileMapping } from '#contract/statement-file.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { allowStatements, withTx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { fileNameOf, recallColumns, rememberColumns } from '../imports/index.ts';
import type { Sheet } from '../imports/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkAccount, findAccount, lockAccount } from './accounts.ts';
import type { AccountRow } from './accounts.ts';
import { identified, insertStatement, knownLines } from './keep-lines.ts';
import type { IdentifiedLine } from './keep-lines.ts';
import { matchCertain } from './match-certain.ts';
import { startBooks } from './start-books.ts';
import { readCsvStatement } from './statements/read-csv-statement.ts';
import type { CsvChoice } from './statements/read-csv-statement.ts';
import { guessCsvChoice, readStatementFile } from './statements/read-statement-file.ts';
import type { StatementFile } from './statements/read-statement-file.ts';
import { checkDays, checkStatements, sumMinor } from './statements/statement.ts';
import type { Statement } from './statements/statement.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type StatementCheck = RouteReply<'adminCheckStatement'>;
type Reading = RouteArguments<'adminCheckStatement'>['query'];
interface Upload<Query> {
  id: string;
  query: Query;
  body: UploadBody;
}

const SAMPLE_ROWS = 3;
/** Time for 50,000 lines, and for the checks of 20,000 matches with the COMMIT, on a machine that is busy. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Checks a statement against the account and its last one. Nothing is kept.
 *
 * @throws {AppError} `company_account_not_found`, `statement_other_account`, `statement_currency`, `statement_gap`, and
 *   what is wrong with the file as `readStatementFile`; errors in cells of a CSV file are in the reply
 */
export async function checkStatement(
  db: Db,
  services: Needs,
  { id, query, body }: Upload<Reading>,
): Promise<StatementCheck> {
  const account = await findAccount(db, id);
  const file = await readUpload(body);
  return (await prepare(db, services, account, { ...file, query })).check;
}

/**
 * Imports a statement: all of its new lines, or nothing. It is read and checked again under the account's lock, and is what
 * was seen. Lines that agree by reference and amount are matched.
 *
 * @throws {AppError} as `checkStatement`, and `statement_choices`, `statement_unreadable` for errors in cells,
 *   `statement_nothing_new`, `conflict` where something else was seen
 */
export async function importStatement(
  db: Db,
  services: Needs,
  by: CommandContext,
  { id, query, body }: Upload<RouteArguments<'adminImportStatement'>['query']>,
): Promise<RouteReply<'adminImportStatement'>> {
  await findAccount(db, id);
  const file = await readUpload(body);
  return withTx(db, async (tx) => {
    await allowStatements(tx, STATEMENT_TIMEOUT_MS);
    const account = await lockAccount(tx, id);
    const { clock } = services;
    const { check, ready, choice } = await prepare(tx, services, account, { ...file, query });
    if (check.csv !== null && check.csv.missing.length > 0) {
      throw new AppError('statement_choices', { missing: check.csv.missing.join(' and ') });
    }
    if (ready === null) throw problemIn(check.csv?.problems ?? []);
    if (check.hash !== query.hash) throw new AppError('conflict');
    if (ready.lines.length === 0 && !isLater(account, ready.to))
      throw new AppError('statement_nothing_new');
    const at = clock.now();
    const statementId = newId(at.getTime());
    const opening =
      account.lastNumber === null
        ? await startBooks(tx, { from: ready.from, openingMinor: ready.openingMinor })
        : 0n;
    const partsHash = await insertStatement(tx, {
      id: statementId,
      accountId: id,
      number: (account.lastNumber ?? 0) + 1,
      format: file.file.format,
      fileName: fileNameOf(query.fileName, 'statement'),
      fileHash: file.hash,
      from: ready.from,
      to: ready.to,
      lines: ready.lines,
      known: check.known,
      openingMinor: ready.openingMinor,
      closingMinor: ready.closingMinor,
      differenceMinor: opening,
      by: by.actor.id,
      at,
    });
    if (choice !== null && file.file.format === 'csv') {
      const kind = { purpose: purposeOf(id), header: file.file.sheet.header };
      await rememberColumns(tx, kind, { mapping: choice, by: by.actor.id, at });
    }
    record(tx, by, 'bank_statement.imported', {
      id: statementId,
      details: {
        accountId: id,
        format: file.file.format,
        file: fileNameOf(query.fileName, 'statement'),
        fileHash: file.hash.toString('hex'),
        lines: ready.lines.length,
        known: check.known,
        openingMinor: String(ready.openingMinor),
        closingMinor: String(ready.closingMinor),
        partsHash,
      },
    });
    const matched = await matchCertain(
      tx,
      { clock },
      { statementId, currency: account.currency, at },
    );
    return { lines: ready.lines.length, known: check.known, matched };
  });
}

/** True if a statement ends on a later day than the account's last one. */
function isLater({ lastDay }: AccountRow, day: string): boolean {
  return lastDay === null || day > lastDay;
}

/** The first error of a file's cells. */
function problemIn([first]: readonly FileProblem[]): AppError {
  const place = first === undefined ? 'The file' : `Line ${first.row}, column ${first.column}`;
  const why = first === undefined ? 'it cannot be read' : `“${first.value}”: ${first.message}`;
  return new AppError('statement_unreadable', { place, why: why.replace(/\.$/, '') });
}

interface ReadUpload {
  file: StatementFile;
  /** SHA-256 of its bytes. */
  hash: Buffer;
}

async function readUpload(body: UploadBody): Promise<ReadUpload> {
  const parts: Uint8Array[] = [];
  for await (const part of body.stream(STATEMENT_MAX_BYTES, 'statement_too_large'))
    parts.push(part);
  const bytes = Buffer.concat(parts);
  return {
    file: await readStatementFile(bytes),
    hash: createHash('sha256').update(bytes).digest(),
  };
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

async function prepare(
  reader: Reader,
  services: Needs,
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
  const { mapping, dayOrder, notation } = await choiceOf(reader, account, sheet, query);
  const missing = [
    ...missingStatementColumns(mapping),
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
  const mapping = chosen
    ? chosenColumns(sheet, query)
    : { ...findStatementColumns(sheet.header), ...known?.mapping };
  const guess = await guessCsvChoice(sheet, account.currency, mapping);
  return {
    mapping,
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
function purposeOf(accountId: string): string {
  return `statement ${accountId}`;
}

/** Compares the statements of a file with the calendar, and with what the account has: number, currency, known lines, balances. */
async function compare(
  reader: Reader,
  { clock, vault }: Needs,
  account: AccountRow,
  { file, hash, statements }: ReadUpload & { statements: readonly Statement[] },
): Promise<Omit<Prepared, 'choice'>> {
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
