import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FundingType } from '#contract/funding.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';

/** Marks lines as paid by the transactions given with them. */
export async function markPaid(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  transactionIds: readonly string[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    UPDATE payroll_line AS line
       SET status = 'processed', ledger_transaction_id = paid.transaction_id, processed_at = ${now}
      FROM unnest(${lines.map((line) => line.lineNumber)}::integer[],
                  ${transactionIds}::uuid[])
             AS paid (line_number, transaction_id)
     WHERE ${isAmong(batch, lines)} AND line.line_number = paid.line_number`.execute(tx);
}

/** Marks lines that could not be paid, each with its reason. */
export async function markFailed(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    UPDATE payroll_line AS line SET status = 'failed', reason = failed.reason
      FROM unnest(${lines.map((line) => line.lineNumber)}::integer[],
                  ${lines.map((line) => line.problem)}::text[]) AS failed (line_number, reason)
     WHERE ${isAmong(batch, lines)} AND line.line_number = failed.line_number`.execute(tx);
}

/**
 * SQL that is true of every row of `line` between the first and the last of those lines. Without it
 * PostgreSQL, which has no statistics of a new batch, reads all of the batch for each chunk: an eighth
 * of the time of a payroll of 100,000 people, and a larger share of a larger one.
 */
export function isAmong(batch: LockedBatch, lines: readonly ClaimedLine[]): RawBuilder<boolean> {
  const numbers = lines.map((line) => line.lineNumber);
  return sql`line.batch_id = ${batch.id}
    AND line.line_number BETWEEN ${Math.min(...numbers)} AND ${Math.max(...numbers)}`;
}

/** Progress of a batch. */
export interface Progress {
  id: string;
  name: string;
  currency: Currency;
  /** Null for a payroll. */
  fundingType: FundingType | null;
  /** True if a second admin approved it. */
  needsApproval: boolean;
  createdBy: string;
  payableCount: number;
  paidCount: number;
  failedCount: number;
  paidMinor: bigint;
  mailedAt: Date | null;
}

/** Adds what a chunk did to the batch's counters, and answers them. */
export async function saveProgress(
  tx: Tx,
  batch: LockedBatch,
  chunk: {
    postedThrough: number;
    paidCount: number;
    paidMinor: bigint;
    failedCount: number;
    now: Date;
  },
): Promise<Progress> {
  return tx
    .updateTable('payrollBatch')
    .set((column) => ({
      postedThrough: chunk.postedThrough,
      paidCount: column('paidCount', '+', chunk.paidCount),
      paidMinor: column('paidMinor', '+', chunk.paidMinor),
      failedCount: column('failedCount', '+', chunk.failedCount),
      updatedAt: chunk.now,
    }))
    .where('id', '=', batch.id)
    .returning([
      'id',
      'name',
      'currency',
      'fundingType',
      'needsApproval',
      'createdBy',
      'payableCount',
      'paidCount',
      'failedCount',
      'paidMinor',
      'mailedAt',
    ])
    .executeTakeFirstOrThrow();
}
