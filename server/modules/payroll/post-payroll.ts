import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { newId } from '#server/lib/ids.ts';
import { together } from '#server/lib/together.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { claimLines, lockBatch } from './claim-lines.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';
import { finishBatch } from './finish-batch.ts';
import { markFailed, markPaid, saveProgress } from './mark-lines.ts';
import { lineReference } from './rules.ts';
import { tellPaid } from './tell-paid.ts';

/**
 * Lines in one transaction. Small enough that somebody whose account is in the chunk waits some
 * tenths of a second at most, large enough that the cost of a commit is spread thin.
 */
const CHUNK_LINES = 1_000;

export interface PostPayrollOptions {
  /** How many lines to post per transaction. */
  chunkLines?: number;
  /** Stops the posting after the chunk in hand; the sweep takes it up again. */
  signal?: AbortSignal;
}

/**
 * Pays a confirmed batch, a chunk of lines per transaction, until all are decided. Safe to call at
 * any time, twice at once, and again after a crash: the batch's row is locked while a chunk is
 * posted, what a chunk did is committed whole or not at all, and a line's reference is unique in
 * the ledger. Returns without doing anything when the batch does not exist, is not due, is finished,
 * or is being posted by somebody else; and early when told to stop, between two chunks.
 */
export async function postPayroll(
  db: Db,
  services: Pick<Services, 'clock'>,
  batchId: string,
  { chunkLines = CHUNK_LINES, signal }: PostPayrollOptions = {},
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    const isMoreToDo = await withTx(db, (tx) => postChunk(tx, services, batchId, chunkLines));
    if (!isMoreToDo) return;
  }
}

/** Posts the next lines; true when there may be more. */
async function postChunk(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  batchId: string,
  chunkLines: number,
): Promise<boolean> {
  const now = services.clock.now();
  const batch = await lockBatch(tx, batchId, now);
  if (batch === undefined) return false;

  const lines = await claimLines(tx, batch, chunkLines);
  const payable = lines.filter((line) => line.problem === null);
  const failed = lines.filter((line) => line.problem !== null);
  await payLines(tx, batch, payable, now);
  await markFailed(tx, batch, failed);
  const isLast = lines.length < chunkLines;
  const progress = await saveProgress(tx, batch, {
    postedThrough: isLast ? batch.payableCount : (lines.at(-1)?.lineNumber ?? 0),
    paidCount: payable.length,
    paidMinor: payable.reduce((sum, line) => sum + line.amountMinor, 0n),
    failedCount: failed.length,
    now,
  });
  if (isLast) await finishBatch(tx, progress, now);
  await publish(tx, { topic: 'payroll', userId: null });
  return !isLast;
}

/** Moves the money of those lines from payroll funding into their wallets, and says so. */
async function payLines(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return;
  const fundingAccountId = await ensureSystemAccount(tx, 'payroll_funding', batch.currency);
  const postings = lines.map((line) => ({
    id: newId(),
    kind: 'payroll',
    reference: lineReference(batch.number, line.lineNumber),
    description: batch.description,
    actorId: batch.createdBy,
    subjectId: line.id,
    entries: [
      { accountId: fundingAccountId, amountMinor: -line.amountMinor },
      { accountId: line.ledgerAccountId, amountMinor: line.amountMinor },
    ],
  }));
  const transactionIds = postings.map(({ id }) => id);
  await together([
    post(tx, postings, { effectiveAt: now }),
    markPaid(tx, batch, lines, transactionIds, now),
    tellPaid(tx, batch, lines, now),
  ]);
}
