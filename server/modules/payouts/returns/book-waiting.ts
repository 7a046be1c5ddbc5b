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
import { bookReturn } from './book-return.ts';
import { findItemsById, judgeItem } from './judge.ts';
import type { FoundItem } from './judge.ts';
import { lockReturned } from './lock-returned.ts';
import { keepRefused, refusedEntries, waitingEntries } from './waiting-entries.ts';
import type { WaitingEntry } from './waiting-entries.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;

/** Returns of one transaction. Each is an act of its own, so they take longer than payments that are sent. */
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
  const book = async (some: readonly WaitingEntry[]) => {
    for (const entry of some) {
      const item = invariant(items.get(entry.itemId), `${entry.id} is of a cancelled file`);
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      await bookEntry(tx, services, by, { entry, item, isDecided });
    }
  };
  const isOfAll = (error: unknown) => !isDecided && isRefusedToPerson(error);
  const refused = await postApart(tx, entries, book, isOfAll);
  if (isRest || refused.length > 0) await keepRefused(tx, services, { fileId, entries, refused });
  publish(tx, { topic: 'payouts', userId: null });
  return found.length > most;
}

interface ToBook {
  entry: WaitingEntry;
  item: FoundItem;
  isDecided: boolean;
}

/** Books an entry, or keeps that it has come back since, by hand or by another file. */
async function bookEntry(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { entry: { id, code }, item, isDecided }: ToBook,
): Promise<void> {
  const outcome = async () => {
    const { status, cause } = judgeItem(item);
    if (status !== 'booked') return { status, cause };
    try {
      const transactionId = await bookReturn(tx, services, by, { item, code, entryId: id });
      return { status, transactionId };
    } catch (error) {
      // Both are thrown before anything is written. The duties were others when the whole file was decided on.
      if (!isDecided || !isRefusedToPerson(error)) throw error;
      return { status: 'unknown' as const, cause: 'duty' as const };
    }
  };
  const decided = await outcome();
  const moved = { movedAt: services.clock.now(), movedBy: by.actor.id };
  await tx
    .updateTable('returnEntry')
    .set({ ...decided, ...moved, refusedWhy: null, refusedAt: null })
    .where('id', '=', id)
    .execute();
}

function isRefusedToPerson(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'second_person_needed' || error.code === 'own_request')
  );
}
