import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';
import { isAmong } from './mark-lines.ts';

/**
 * Notes the lines of a chunk that were just paid into a wallet with automatic transfers, in one statement, and requests
 * the job that runs them. Individual funding is no payroll and starts none.
 */
export async function noteDueTransfers(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  now: Date,
): Promise<void> {
  if (lines.length === 0 || batch.fundingType !== null) return;
  const { numAffectedRows } = await sql`
    INSERT INTO payroll_due_transfer (line_id, user_id, paid_at)
    SELECT line.id, line.user_id, ${now}
      FROM payroll_line AS line JOIN transfer_plan AS plan ON plan.wallet_id = line.wallet_id
     WHERE ${isAmong(batch, lines)} AND line.line_number = ANY (${lines.map(({ lineNumber }) => lineNumber)}::integer[])
       AND plan.rule_count > 0 AND plan.paused_at IS NULL`.execute(tx);
  if ((numAffectedRows ?? 0n) > 0n) enqueueJob(tx, { name: 'run-transfers', payload: {} });
}

/** A paid line whose automatic transfers have not run. */
export interface DueTransfer {
  lineId: string;
  userId: string;
  paidAt: Date;
}

/**
 * Takes the next line whose automatic transfers have not run, locked until the transaction ends; those that another
 * process has locked are left to it. It is deleted with the transaction, so that a killed process leaves it.
 *
 * @param after the line taken before; the earliest if left out
 */
export async function takeDueTransfer(
  tx: Tx,
  after: DueTransfer | undefined,
): Promise<DueTransfer | undefined> {
  const { rows } = await sql<DueTransfer>`
    DELETE FROM payroll_due_transfer WHERE line_id = (
      SELECT line_id FROM payroll_due_transfer
       WHERE ${after === undefined ? sql`true` : sql`(paid_at, line_id) > (${after.paidAt}, ${after.lineId}::uuid)`}
       ORDER BY paid_at, line_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING line_id, user_id, paid_at`.execute(tx);
  return rows[0];
}

/** Failed runs of a line after which administrators are notified: it is tried once a minute. */
const FAILED_ATTEMPTS = 3;

/** SQL condition of a line whose automatic transfers failed again and again. */
export const IS_FAILING = sql<boolean>`attempts >= ${sql.lit(FAILED_ATTEMPTS)}`;

/**
 * Counts a failed run, in a transaction of its own, because that of the run was rolled back.
 *
 * @returns true if administrators are to be notified: the line failed often enough, and is the first of those that fail now
 */
export async function countFailedRun(tx: Tx, lineId: string): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    UPDATE payroll_due_transfer AS due SET attempts = attempts + 1 WHERE line_id = ${lineId}
    RETURNING attempts = ${FAILED_ATTEMPTS} AND NOT EXISTS (
      SELECT FROM payroll_due_transfer AS other WHERE other.attempts >= ${FAILED_ATTEMPTS} AND other.line_id <> due.line_id) AS is_first`.execute(
    tx,
  );
  return rows[0]?.isFirst === true;
}
