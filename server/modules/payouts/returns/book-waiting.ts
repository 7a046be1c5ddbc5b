import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import { allowStatements, withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import { personOf } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { inChunks } from '#server/lib/in-chunks.ts';
import type { Services } from '#server/services.ts';
import { CHUNK_TIMEOUT_MS, deciderOf } from '../chunks.ts';
import { bookReturn } from './book-return.ts';
import { findItemsById, judgeItem } from './judge.ts';
import type { FoundItem } from './judge.ts';
import { lockReturned } from './lock-returned.ts';

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
 * Asks for the job of every file of which entries wait: a killed process left them. Called at the start and each minute.
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

/** Books the next entries of a file that wait; true if there are more. */
async function bookChunk(
  tx: Tx,
  services: Needs,
  by: CommandContext,
  { fileId, most, isDecided }: Chunk,
): Promise<boolean> {
  await allowStatements(tx, CHUNK_TIMEOUT_MS);
  const found = await tx
    .selectFrom('returnEntry')
    .select(['id', 'itemId', 'code'])
    .where('fileId', '=', fileId)
    .where('status', '=', 'waiting')
    .orderBy('recordNumber')
    .limit(most + 1)
    .forNoKeyUpdate()
    .execute();
  const entries = found.slice(0, most).map(({ id, itemId, code }) => ({
    ...{ id, itemId: invariant(itemId, `return entry ${id} waits for no payment`) },
    // The column has what the reader of the file took for a code.
    code: code as ReturnCode | ChangeCode,
  }));
  const itemIds = entries.map(({ itemId }) => itemId);
  await lockReturned(tx, itemIds);
  const items = await findItemsById(tx, itemIds);
  for (const { id, itemId, code } of entries) {
    const item = invariant(items.get(itemId), `return entry ${id} is of a cancelled file`);
    const verdict = judgeItem(item);
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const outcome = await book({ id, item, code, verdict });
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await tx
      .updateTable('returnEntry')
      .set({ ...outcome, movedAt: services.clock.now(), movedBy: by.actor.id })
      .where('id', '=', id)
      .execute();
  }
  publish(tx, { topic: 'payouts', userId: null });
  return found.length > most;

  /** Columns of an entry after it was booked, or was found to have come back since, by hand or by another file. */
  async function book({ id, item, code, verdict }: Booked) {
    const { status, cause } = verdict;
    if (status !== 'booked') return { status, cause };
    try {
      const transactionId = await bookReturn(tx, services, by, { item, code, entryId: id });
      return { status, transactionId };
    } catch (error) {
      // Both are thrown before anything is written. The duties were others when the whole file was decided on.
      if (!isDecided || !isRefusedToPerson(error)) throw error;
      return { status: 'unknown' as const, cause: 'duty' as const };
    }
  }
}

interface Booked {
  id: string;
  item: FoundItem;
  code: ReturnCode | ChangeCode;
  verdict: ReturnType<typeof judgeItem>;
}

function isRefusedToPerson(error: unknown): boolean {
  return (
    error instanceof AppError &&
    (error.code === 'second_person_needed' || error.code === 'own_request')
  );
}
