import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { fundingReference } from '../rules.ts';

/** SQL, to be put after `FROM`, of the lines that a completed funding paid in place of (`line`) with it (`funding`). */
export const PAID_IN_PLACE = sql`
  payroll_line AS line JOIN payroll_batch AS funding
    ON funding.id = line.paid_by AND line.paid_by IS NOT NULL AND funding.status = 'completed'`;

interface FailedLine {
  id: string;
  /** The person who is funded. */
  userId: string;
  amountMinor: bigint;
}

/**
 * Locks the batch of a failed line that a funding is to pay in place of, as retrying does: of the two at the same moment the
 * second one sees the first.
 *
 * @returns the id of the line
 * @throws {AppError} `payroll_line_not_found`, also for a line of somebody else; `payroll_line_wrong_status`,
 *   `payroll_line_paid_otherwise`; `amount_invalid` for another amount than the line's
 */
export async function lockFailedLine(
  tx: Tx,
  { id, userId, amountMinor }: FailedLine,
): Promise<string> {
  await sql`SELECT FROM payroll_batch
             WHERE id = (SELECT batch_id FROM payroll_line WHERE id = ${id}::uuid)
               FOR NO KEY UPDATE`.execute(tx);
  const line = await tx
    .selectFrom('payrollLine')
    .select(['status', 'amountMinor'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (line === undefined) throw new AppError('payroll_line_not_found');
  const { status } = line;
  if (status !== 'failed') throw new AppError('payroll_line_wrong_status', { status });
  await checkNotPaidOtherwise(tx, id);
  if (line.amountMinor !== amountMinor) throw new AppError('amount_invalid');
  return id;
}

/** @throws {AppError} `payroll_line_paid_otherwise` where a funding pays a line in its place */
export async function checkNotPaidOtherwise(tx: Tx, lineId: string): Promise<void> {
  const other = await tx
    .selectFrom('payrollLine')
    .innerJoin('payrollBatch', 'payrollBatch.id', 'payrollLine.paidBy')
    .select('payrollBatch.number')
    .where('payrollLine.id', '=', lineId)
    .executeTakeFirst();
  if (other === undefined) return;
  const reference = fundingReference(other.number);
  throw new AppError('payroll_line_paid_otherwise', { reference });
}

/** Marks a failed line as paid by a funding, so that nothing else pays it. */
export async function markPaidBy(tx: Tx, lineId: string, fundingId: string): Promise<void> {
  await tx.updateTable('payrollLine').set({ paidBy: fundingId }).where('id', '=', lineId).execute();
}

/** Frees the line that a funding would have paid in place of: the funding was declined or stopped. */
export async function freeLineOf(tx: Tx, fundingId: string): Promise<void> {
  await tx
    .updateTable('payrollLine')
    .set({ paidBy: null })
    .where('paidBy', '=', fundingId)
    .execute();
}
