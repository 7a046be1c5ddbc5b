import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { keepReasons, reasonsOf } from '../refused.ts';
import type { Refused } from '../refused.ts';

/** An entry that is to be booked. */
export interface WaitingEntry {
  id: string;
  itemId: string;
  code: ReturnCode | ChangeCode;
}

/** Locks the next entries of a file that wait and were not refused, in its order. */
export async function waitingEntries(
  tx: Tx,
  fileId: string,
  limit: number,
): Promise<WaitingEntry[]> {
  const rows = await lockWaiting(tx, fileId)
    .where('refusedWhy', 'is', null)
    .orderBy('recordNumber')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Locks the entries of a file that were refused, those first that were tried the longest time ago. */
export async function refusedEntries(
  tx: Tx,
  fileId: string,
  limit: number,
): Promise<WaitingEntry[]> {
  const rows = await lockWaiting(tx, fileId)
    .where('refusedWhy', 'is not', null)
    .orderBy('refusedAt')
    .orderBy('recordNumber')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

function lockWaiting(tx: Tx, fileId: string) {
  return tx
    .selectFrom('returnEntry')
    .select(['id', 'itemId', 'code'])
    .where('fileId', '=', fileId)
    .where('status', '=', 'waiting')
    .forNoKeyUpdate();
}

function toEntry({ id, itemId, code }: { id: string; itemId: string | null; code: string }) {
  return {
    ...{ id, itemId: invariant(itemId, `return entry ${id} waits for no payment`) },
    // The column has what the reader of the file took for a code.
    code: code as ReturnCode | ChangeCode,
  };
}

/** Keeps the reason on each entry that was refused. */
export async function keepRefused(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  chunk: { fileId: string; entries: readonly WaitingEntry[]; refused: readonly Refused[] },
): Promise<void> {
  const { fileId, entries, refused } = chunk;
  const ids = entries.map(({ id }) => id);
  const returns = await keepReasons(tx, services, 'return_entry', { ids, refused });
  if (returns === 0) return;
  record(tx, { actor: 'system' }, 'return_file.returns_refused', {
    id: fileId,
    details: { returns, reasons: reasonsOf(refused) },
  });
}
