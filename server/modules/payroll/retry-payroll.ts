import { can } from '#contract/can.ts';
import type { PayrollBatch } from '#contract/api.ts';
import { payrollCan } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { getPayrollBatch } from './queries.ts';

/**
 * Puts the failed lines of a finished batch back to be paid, and asks for the job that does it.
 * Those that were paid are left alone.
 *
 * @throws {AppError} `payroll_not_found`, or `payroll_wrong_status` when the batch is not finished
 *   or has no failed line
 */
export async function retryPayroll(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id }: { id: string },
): Promise<PayrollBatch> {
  const batch = await tx
    .selectFrom('payrollBatch')
    .select(['status', 'failedCount'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const { status } = batch;
  if (!can(payrollCan, 'retryFailed', status) || batch.failedCount === 0) {
    throw new AppError('payroll_wrong_status', { status });
  }

  const again = await tx
    .updateTable('payrollLine')
    .set({ status: 'draft', reason: null })
    .where('batchId', '=', id)
    .where('status', '=', 'failed')
    .where('reason', 'is not', null)
    .returning('lineNumber')
    .execute();
  const first = again.reduce((least, line) => Math.min(least, line.lineNumber), Infinity);
  await tx
    .updateTable('payrollBatch')
    .set({
      status: 'processing',
      failedCount: 0,
      postedThrough: first - 1,
      processedAt: null,
      updatedAt: services.clock.now(),
    })
    .where('id', '=', id)
    .execute();
  recordAudit(tx, {
    by,
    action: 'payroll.retried',
    subjectType: 'payroll_batch',
    subjectId: id,
    details: { lines: again.length },
  });
  enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  publish(tx, { topic: 'payroll', userId: null });
  return getPayrollBatch(tx, id, by.actor.id);
}
