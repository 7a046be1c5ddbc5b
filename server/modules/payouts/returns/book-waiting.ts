import { allowStatements, withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import { personOf } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { inChunks } from '#server/lib/in-chunks.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_TIMEOUT_MS, deciderOf } from '../chunks.ts';
import { postApart } from '../refused.ts';
import { giveBack } from './give-back.ts';
import { findItemsById, judgeItem } from './judge.ts';
import type { FoundItem } from './judge.ts';
import { lockReturned } from './lock-returned.ts';
import { keepOutcomes, keepRefused, refusedEntries, waitingEntries } from './waiting-entries.ts';
import type { WaitingEntry } from './waiting-entries.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;

/** Returns of one transaction. They take longer than payments that are sent, because each has two postings and its mark. */
export const CHUNK_RETURNS = 200;

interface ChunkOptions {
  /** Most entries of one transaction. */
  most?: number;
}

/**
 * Books what is left of a returns file, a chunk of entries in each transaction. Safe to call at any time, twice concurrently,
 * and again after a crash: the entries of a chunk are locked, and each says that it waits.
 *
 * @param options.signal stops it after the chunk in progress; the sweep takes it up again
 */
export async function bookWaiting(
  db: Db,
  services: Needs,
  fileId: string,
  { most = CHUNK_RETURNS, ...options }: ChunkOptions & { signal?: AbortSignal } = {},
): Promise<void> {
  const book = async (tx: Tx) => {
    const file = await tx
      .selectFrom('returnFile')
      .select('createdBy')
      .where('id', '=', fileId)
      .executeTakeFirst();
    if (file === undefined) return false;
    const by = personOf(await deciderOf(tx, file.createdBy));
    return bookChunk(tx, services, by, { fileId, most, isDecided: true });
  };
  await inChunks(() => withTx(db, book), options);
}

/** The job `book-returns`: books the file named in its payload. Safe to run twice. */
export async function bookReturnsJob(
  db: Db,
  services: Needs,
  { fileId }: Readonly<Record<string, string>>,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  await bookWaiting(db, services, invariant(fileId, 'book-returns needs a fileId'), options);
}

/**
 * Asks for the job of every file of which entries wait: a killed process left them, or the ledger refused them. Called at the
 * start and each minute.
 *
 * @returns number of files
 */
export async function sweepReturnFiles(db: Db): Promise<number> {
  return withTx(db, async (tx) => {
    const left = await tx
      .selectFrom('returnEntry')
      .select('fileId')
      .distinct()
      .where('status', '=', 'waiting')
      .execute();
    for (const { fileId } of left) enqueueJob(tx, { name: 'book-returns', payload: { fileId } });
    return left.length;
  });
}

/** Books the first entries with the decision itself, which is all of most files, and asks for the job of the others. */
export async function bookFirst(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { fileId, most = CHUNK_RETURNS }: ChunkOptions & { fileId: string },
): Promise<void> {
  if (await bookChunk(tx, services, by, { fileId, most, isDecided: false })) {
    enqueueJob(tx, { name: 'book-returns', payload: { fileId } });
  }
}

interface Chunk {
  fileId: string;
  most: number;
  /** True after the decision: what refuses an entry then is a matter of that entry, and the others are booked. */
  isDecided: boolean;
}

/**
 * Books the next entries of a file that wait or, after the last one, tries those again that were refused. One that is refused
 * holds up no other one.
 *
 * @returns true if there are more that were not tried yet
 */
async function bookChunk(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { fileId, most, isDecided }: Chunk,
): Promise<boolean> {
  await allowStatements(tx, CHUNK_TIMEOUT_MS);
  const found = await waitingEntries(tx, fileId, most + 1);
  const isRest = found.length === 0;
  const entries = isRest ? await refusedEntries(tx, fileId, most) : found.slice(0, most);
  if (entries.length === 0) return false;
  const itemIds = entries.map(({ itemId }) => itemId);
  await lockReturned(tx, itemIds);
  const items = await findItemsById(tx, itemIds);
  const toBook = entries.map((entry) => ({
    ...entry,
    item: invariant(items.get(entry.itemId), `${entry.id} is of a cancelled file`),
  }));
  const book = (some: readonly ToBook[]) => bookEntries(tx, services, by, some);
  // The duties were others when the whole file was decided on, which refuses all of it.
  const isOfAll = (error: unknown) => !isDecided && isRefusedToPerson(error);
  const failed = await postApart(tx, toBook, book, isOfAll);
  const refused = failed.filter(({ error }) => !isRefusedToPerson(error));
  const left = failed.flatMap(({ id, error }) =>
    isRefusedToPerson(error) ? [{ id, status: 'unknown', cause: 'duty' } as const] : [],
  );
  await keepOutcomes(tx, services, by, left);
  if (isRest || refused.length > 0) await keepRefused(tx, services, { fileId, entries, refused });
  publish(tx, { topic: 'payouts', userId: null });
  return found.length > most;
}

interface ToBook extends WaitingEntry {
  item: FoundItem;
}

/** Books entries, and keeps of those that came back since, by hand or by another file, that they did. */
async function bookEntries(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  some: readonly ToBook[],
): Promise<void> {
  const judged = some.map((entry) => ({ ...entry, ...judgeItem(entry.item) }));
  const booked = judged.filter(({ status }) => status === 'booked');
  const returns = booked.map(({ id, item, code }) => ({ entryId: id, item, code }));
  const reversals = await giveBack(tx, services, by, returns);
  const outcomes = judged.map(({ id, status, cause }) => ({
    id,
    status,
    cause,
    transactionId: reversals.get(id) ?? null,
  }));
  await keepOutcomes(tx, services, by, outcomes);
}

function isRefusedToPerson(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'second_person_needed' || error.code === 'own_request')
  );
}
