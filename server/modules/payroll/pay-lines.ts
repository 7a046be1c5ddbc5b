import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { awaitInOrder } from '#server/lib/await-in-order.ts';
import { post } from '#server/modules/ledger/index.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';
import { markPaid } from './mark-lines.ts';
import { lineReference } from './rules.ts';
import { notifyPaid } from './notify-paid.ts';

/** What a chunk's lines have in common. */
export interface Chunk {
  batch: LockedBatch;
  /** The ledger account `payroll_funding` in the batch's currency. */
  fundingAccountId: string;
  now: Date;
}

/**
 * Moves the money of those lines from payroll funding into their wallets, marks them as paid and
 * notifies their people; all of it or nothing.
 *
 * @throws {LedgerError} when the ledger refuses one of them
 */
export async function payLines(
  tx: Tx,
  { batch, fundingAccountId, now }: Chunk,
  lines: readonly ClaimedLine[],
): Promise<void> {
  if (lines.length === 0) return;
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
  await awaitInOrder([
    post(tx, postings, { effectiveAt: now }),
    markPaid(tx, batch, lines, transactionIds, now),
    notifyPaid(tx, batch, lines, now),
  ]);
}
