import { createHash } from 'node:crypto';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { STATEMENT_MAX_BYTES } from '#contract/company-bank.ts';
import type { FileProblem } from '#contract/file-columns.ts';
import type { Db } from '#server/db/tx.ts';
import { allowStatements, withTx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { fileNameOf, rememberColumns } from '../imports/index.ts';
import { findAccount, lockAccount } from './accounts.ts';
import { insertStatement } from './keep-lines.ts';
import { matchCertain } from './match-certain.ts';
import { isLater, prepareStatement, purposeOf } from './prepare-statement.ts';
import type { Reading, ReadUpload, StatementCheck, StatementNeeds } from './prepare-statement.ts';
import { startBooks } from './start-books.ts';
import { readStatementFile } from './statements/read-statement-file.ts';

interface Upload<Query> {
  id: string;
  query: Query;
  body: UploadBody;
}

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
  services: StatementNeeds,
  { id, query, body }: Upload<Reading>,
): Promise<StatementCheck> {
  const account = await findAccount(db, id);
  const file = await readUpload(body);
  return (await prepareStatement(db, services, account, { ...file, query })).check;
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
  services: StatementNeeds,
  by: CommandContext,
  { id, query, body }: Upload<RouteArguments<'adminImportStatement'>['query']>,
): Promise<RouteReply<'adminImportStatement'>> {
  await findAccount(db, id);
  const file = await readUpload(body);
  return withTx(db, async (tx) => {
    await allowStatements(tx, STATEMENT_TIMEOUT_MS);
    const account = await lockAccount(tx, id);
    const { clock } = services;
    const { check, ready, choice } = await prepareStatement(tx, services, account, {
      ...file,
      query,
    });
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
    const notBooked = check.notBooked.reduce((sum, { count }) => sum + count, 0);
    record(tx, by, 'bank_statement.imported', {
      id: statementId,
      details: {
        accountId: id,
        format: file.file.format,
        file: fileNameOf(query.fileName, 'statement'),
        fileHash: file.hash.toString('hex'),
        lines: ready.lines.length,
        known: check.known,
        notBooked,
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
    return { lines: ready.lines.length, known: check.known, notBooked, matched };
  });
}

/** The first error of a file's cells. */
function problemIn([first]: readonly FileProblem[]): AppError {
  const place = first === undefined ? 'The file' : `Line ${first.row}, column ${first.column}`;
  const why = first === undefined ? 'it cannot be read' : `“${first.value}”: ${first.message}`;
  return new AppError('statement_unreadable', { place, why: why.replace(/\.$/, '') });
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
