import type { PayrollBatch } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { payrollCan } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { getPayrollBatch } from './queries.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Approves a payroll that waits for a second admin, and asks for the job that pays it.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_wrong_status`, `second_person_needed` for the
 *   admin who sent it
 */
export async function approvePayroll(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<PayrollBatch> {
  const batch = await lockWaiting(tx, id, 'approve');
  await requireSecondPerson(tx, by, 'payroll', {
    amountMinor: batch.totalMinor,
    doneBy: [batch.createdBy],
    isSettled: true,
  });
  const at = clock.now();
  await tx
    .updateTable('payrollBatch')
    .set({ approvedBy: by.actor.id, approvedAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  await record(tx, by, { id, action: 'payroll.approved', at });
  enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  return getPayrollBatch(tx, id);
}

/**
 * Declines a payroll that waits for a second admin; who sent it may take it back so, too. It is a draft
 * again and pays nobody.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_wrong_status`
 */
export async function declinePayroll(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<PayrollBatch> {
  await lockWaiting(tx, id, 'decline');
  const at = clock.now();
  await tx
    .updateTable('payrollBatch')
    .set({ status: 'draft', updatedAt: at })
    .where('id', '=', id)
    .execute();
  await record(tx, by, { id, action: 'payroll.declined', at });
  return getPayrollBatch(tx, id);
}

async function lockWaiting(tx: Tx, id: string, action: 'approve' | 'decline') {
  const batch = await tx
    .selectFrom('payrollBatch')
    .select(['status', 'createdBy', 'totalMinor', 'needsApproval', 'approvedAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const { status } = batch;
  const waits = batch.needsApproval && batch.approvedAt === null;
  if (!waits || !can(payrollCan, action, status)) {
    throw new AppError('payroll_wrong_status', { status });
  }
  return batch;
}

async function record(
  tx: Tx,
  by: CommandContext,
  { id, action, at }: { id: string; action: string; at: Date },
): Promise<void> {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'payroll_batch',
    subjectId: id,
    details: { at: at.toISOString() },
  });
  publish(tx, { topic: 'payroll', userId: null });
}
