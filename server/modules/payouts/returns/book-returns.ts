import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { allowStatements, withTx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { refuseEach } from '#server/modules/acts/index.ts';
import { fileNameOf } from '#server/modules/imports/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_TIMEOUT_MS } from '../chunks.ts';
import { IsoFault } from '../iso-answers/answers.ts';
import { bookFirst } from './book-waiting.ts';
import { judgeEntries } from './judge.ts';
import type { JudgedEntry } from './judge.ts';
import { followListed, keepEntries } from './keep-entries.ts';
import { findReturnFile, loadReturnFile } from './queries.ts';
import { isFault, placeOf, readReturnFile } from './read-return-file.ts';
import type { ReturnFile } from './return-file.ts';
import type { ReturnFileFault } from './read-return-file.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;
type Check = RouteReply<'adminCheckReturns'>;

const MAX_FILE_NAME = 200;

/** Checks a returns file. Nothing is kept. @throws {AppError} `return_file_too_large` */
export async function checkReturns(db: Db, body: UploadBody): Promise<Check> {
  const { currency } = await readSettings(db);
  const { hash, file } = await readReturnFile(db, body, currency);
  const nothing = { count: 0, total: money(0n, currency) };
  const counts = { unknown: 0, proposed: 0, repeated: 0, listed: 0 };
  const base = { hash, bookedAs: await findReturnFile(db, hash) };
  if (isFault(file)) {
    return {
      ...base,
      bankName: '',
      entryCount: 0,
      booked: nothing,
      ...counts,
      refused: refusedOf(file),
    };
  }
  const judged = await judgeEntries(db, file);
  const booked = judged.filter(({ status }) => status === 'booked');
  const countOf = (status: keyof typeof counts) =>
    judged.filter((entry) => entry.status === status).length;
  return {
    ...base,
    refused: null,
    bankName: file.bankName,
    entryCount: judged.length,
    booked: { count: booked.length, total: money(sumMinor(booked), currency) },
    unknown: countOf('unknown'),
    proposed: countOf('proposed'),
    repeated: countOf('repeated'),
    listed: countOf('listed'),
  };
}

function refusedOf(fault: ReturnFileFault): NonNullable<Check['refused']> {
  if (fault instanceof IsoFault) {
    const { line, element } = fault.place;
    return { isXml: true, record: line, columns: null, element, why: fault.why, control: null };
  }
  const { record: number, columns, why, control } = fault;
  return {
    isXml: false,
    record: number,
    columns,
    element: null,
    why,
    control: control && {
      kind: control.kind,
      record: control.record,
      figures: control.figures.map(({ columns: at, ...one }) => ({ ...one, ...at })),
    },
  };
}

/**
 * Books a returns file, all of it or nothing: what agrees with a payment of ours is back in its wallet, and its owner is
 * notified. The file that was checked is the one that is booked. Its row is written first, so that two administrators who
 * book it concurrently book it once. The first returns are booked with the decision, and those of a large file by a job.
 *
 * @throws {AppError} `return_file_too_large`, `return_file_unreadable`, `conflict` for another file than was checked,
 *   `return_file_booked`, `own_request` and `second_person_needed` for one of its payments, `data_destroyed`
 */
export async function bookReturns(
  db: Db,
  services: Needs,
  by: CommandContext,
  { query, body }: { query: { fileName: string; hash: string }; body: UploadBody },
  options: { most?: number } = {},
): Promise<RouteReply<'adminBookReturns'>> {
  const { currency } = await readSettings(db);
  const { hash, file } = await readReturnFile(db, body, currency);
  if (hash !== query.hash) throw new AppError('conflict');
  if (isFault(file)) {
    throw new AppError('return_file_unreadable', { place: placeOf(file), why: file.why });
  }
  if (file.entries.length === 0) {
    throw new AppError('return_file_unreadable', {
      place: 'The file',
      why: 'nothing in it came back',
    });
  }
  const fileName = fileNameOf(query.fileName, 'returns').slice(0, MAX_FILE_NAME);
  return withTx(db, (tx) => bookFile(tx, services, by, { file, fileName, hash, options }));
}

interface FileToBook {
  file: ReturnFile;
  fileName: string;
  hash: string;
  /** Most entries that one transaction books. */
  options: { most?: number };
}

async function bookFile(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { file, fileName, hash, options }: FileToBook,
): Promise<RouteReply<'adminBookReturns'>> {
  await lockReturnFiles(tx);
  await allowStatements(tx, CHUNK_TIMEOUT_MS);
  const settings = await readSettings(tx);
  const at = services.clock.now();
  const id = newId(at.getTime());
  const totalMinor = sumMinor(file.entries.filter(({ answer }) => answer.kind === 'return'));
  const claimed = await tx
    .insertInto('returnFile')
    .values({
      id,
      fileName,
      contentHash: hash,
      bankName: file.bankName,
      madeOn: file.madeOn,
      entryCount: file.entries.length,
      totalMinor,
      currency: settings.currency,
      createdBy: by.actor.id,
      createdAt: at,
    })
    .onConflict((conflict) => conflict.column('contentHash').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (claimed === undefined) throw new AppError('return_file_booked');
  const judged = await judgeEntries(tx, file);
  await refuseBooking(tx, services, by, judged);
  const entries = await keepEntries(tx, services, by, { fileId: id, judged, settings, at });
  await bookFirst(tx, services, by, { fileId: id, ...options });
  await followListed(tx, services, by, { entries, at });
  record(tx, by, 'return_file.booked', {
    id,
    details: {
      file: fileName,
      contentHash: hash,
      entries: judged.length,
      amountMinor: String(totalMinor),
      booked: judged.filter(({ status }) => status === 'booked').length,
      unknown: judged.filter(({ status }) => status === 'unknown').length,
    },
  });
  return loadReturnFile(tx, id);
}

function sumMinor(entries: readonly { amountMinor: bigint }[]): bigint {
  return entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The advisory lock under which returns files are booked; any number. */
const RETURN_FILES_LOCK = 7_265_011;

/** Lets one returns file be judged at a time, so that the second of two with the same returns finds those of the first. */
function lockReturnFiles(tx: Tx): Promise<unknown> {
  return sql`SELECT pg_advisory_xact_lock(${RETURN_FILES_LOCK}, 0)`.execute(tx);
}

/** Refuses the whole file for a payment that this administrator may not give back, also where a job books it later. */
async function refuseBooking(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  judged: readonly JudgedEntry[],
): Promise<void> {
  const items = judged.flatMap(({ status, item }) => (status === 'booked' && item ? [item] : []));
  const rowsOf = (column: 'withdrawalId' | 'billId') =>
    items.flatMap((item) => {
      const id = item[column];
      return id === null ? [] : [{ id, userId: item.ownerId, status: item.status }];
    });
  const asked = { tx, services, by };
  const ofWithdrawals = { ...asked, rows: rowsOf('withdrawalId') };
  const aloneMinor = await refuseEach(withdrawals, 'returnByFile', ofWithdrawals);
  await refuseEach(bills, 'returnByFile', { ...asked, rows: rowsOf('billId'), aloneMinor });
}
