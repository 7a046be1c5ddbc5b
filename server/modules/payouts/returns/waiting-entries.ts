import { sql } from 'kysely';
import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { ReturnCause, ReturnEntryStatus } from '#contract/returns.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { keepReasons, refusalWords } from '../refused.ts';
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
    id,
    itemId: invariant(itemId, `return entry ${id} waits for no payment`),
    // The column has what the reader of the file took for a code.
    code: code as ReturnCode | ChangeCode,
  };
}

/** Outcome of an entry that waited. */
interface Outcome {
  id: string;
  status: ReturnEntryStatus;
  cause: ReturnCause | null;
  /** The reversal that gave its money back. */
  transactionId?: string | null;
}

/** Keeps the outcomes of entries that waited. */
export async function keepOutcomes(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  outcomes: readonly Outcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ id, status, cause, transactionId: posting = null }) => ({
    id,
    status,
    cause,
    posting,
  }));
  await sql`
    UPDATE return_entry AS entry
       SET status = one.status, cause = one.cause, transaction_id = one.posting, moved_at = ${clock.now()},
           moved_by = ${by.actor.id}, refused_why = NULL, refused_at = NULL
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS one (id uuid, status text, cause text, posting uuid)
     WHERE entry.id = one.id`.execute(tx);
}

/** Keeps the reason on each entry that was refused. Administrators are notified of each once. */
export async function keepRefused(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  chunk: { fileId: string; entries: readonly WaitingEntry[]; refused: readonly Refused[] },
): Promise<void> {
  const { fileId, entries, refused } = chunk;
  const ids = entries.map(({ id }) => id);
  const returns = await keepReasons(tx, services, 'return_entry', { ids, refused });
  if (returns === 0) return;
  const { fileName } = await tx
    .selectFrom('returnFile')
    .select('fileName')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  const { reasons, counted, reason } = refusalWords(refused, { count: returns, noun: 'return' });
  record(tx, { actor: 'system' }, 'return_file.returns_refused', {
    id: fileId,
    at: services.clock.now(),
    details: { returns, reasons },
    words: { returns: counted, file: fileName, reason },
  });
}
