import type { PayrollBatch } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { payrollCan } from '#contract/payroll.ts';
import type { PayrollAction } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { waitsForApproval } from './approval.ts';
import { getPayrollBatch } from './queries.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Stops a confirmed payroll that was not sent yet: it becomes a draft and pays nobody. The poster takes
 * the same lock and checks the status under it (`lockBatch`), so a batch is either stopped or sent. The
 * sender is notified when another admin stops it.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_already_sent`, or `payroll_wrong_status` for a batch
 *   that waits for approval, which is declined instead
 */
export async function stopPayroll(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<PayrollBatch> {
  const batch = await lockForChange(tx, id, 'stop');
  const at = clock.now();
  await tx
    .updateTable('payrollBatch')
    .set({ status: 'draft', stoppedBy: by.actor.id, stoppedAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  record(tx, by, { id, action: 'payroll.stopped', at });
  if (batch.createdBy !== by.actor.id) {
    notify(tx, batch.createdBy, {
      kind: 'payroll-stopped',
      message: `${by.actor.name} stopped ${batch.name}. Nobody was paid.`,
      relatedId: id,
      at,
    });
  }
  return getPayrollBatch(tx, id, by.actor.id);
}

/**
 * Discards a draft: a stopped or declined payroll is no longer listed. Its row and its record in the
 * audit trail stay.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_wrong_status`
 */
export async function discardPayroll(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<PayrollBatch> {
  await lockForChange(tx, id, 'discard');
  const at = clock.now();
  await tx
    .updateTable('payrollBatch')
    .set({ discardedBy: by.actor.id, discardedAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  record(tx, by, { id, action: 'payroll.discarded', at });
  return getPayrollBatch(tx, id, by.actor.id);
}

async function lockForChange(
  tx: Tx,
  id: string,
  action: Extract<PayrollAction, 'stop' | 'discard'>,
): Promise<{ createdBy: string; name: string }> {
  const batch = await tx
    .selectFrom('payrollBatch')
    .select(['status', 'createdBy', 'name', 'totalMinor', 'needsApproval', 'approvedAt'])
    .select('discardedAt')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const { status } = batch;
  if (action === 'stop' && status !== 'draft' && !can(payrollCan, 'stop', status)) {
    throw new AppError('payroll_already_sent');
  }
  const isLegal = action === 'stop' ? !waitsForApproval(batch) : batch.discardedAt === null;
  if (!isLegal || !can(payrollCan, action, status)) {
    throw new AppError('payroll_wrong_status', { status });
  }
  return batch;
}

function record(
  tx: Tx,
  by: CommandContext,
  { id, action, at }: { id: string; action: string; at: Date },
): void {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'payroll_batch',
    subjectId: id,
    details: { at: at.toISOString() },
  });
  publish(tx, { topic: 'payroll', userId: null });
}
