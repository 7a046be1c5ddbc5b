import type { PayrollBatch } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import type { FundingType } from '#contract/funding.ts';
import { payrollCan } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob, publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct, recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { SENT_PAYROLL, waitsForApproval } from './approval.ts';
import { getPayrollBatch } from './queries.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Approves a payroll that waits for a second admin, and asks for the job that pays it. The window in which
 * it can be stopped begins then. Its sender may
 * once the rule about two people was switched off meanwhile: that took two people itself.
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
  await requireSecondPerson(tx, by, SENT_PAYROLL, {
    amountMinor: batch.totalMinor,
    doneBy: [batch.createdBy],
  });
  const at = clock.now();
  const isAlone = batch.createdBy === by.actor.id;
  await tx
    .updateTable('payrollBatch')
    .set({ approvedBy: by.actor.id, approvedAt: at, approvedAlone: isAlone, updatedAt: at })
    .set({ postAfter: await sendingTime(tx, batch, at) })
    .where('id', '=', id)
    .execute();
  record(tx, by, { id, action: 'payroll.approved', at, details: { isAlone } });
  enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
  return getPayrollBatch(tx, id, by.actor.id);
}

/**
 * Declines a payroll that waits for a second admin; its sender may take it back in the same way. It is
 * a draft from then on and pays nobody. The sender is notified.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_wrong_status`
 */
export async function declinePayroll(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<PayrollBatch> {
  const { createdBy, name } = await lockWaiting(tx, id, 'decline');
  const at = clock.now();
  await tx
    .updateTable('payrollBatch')
    .set({ status: 'draft', declinedBy: by.actor.id, declinedAt: at, declineReason: reason })
    .set({ updatedAt: at })
    .where('id', '=', id)
    .execute();
  record(tx, by, { id, action: 'payroll.declined', at, details: { reason } });
  if (createdBy !== by.actor.id) {
    notify(tx, createdBy, {
      kind: 'payroll-declined',
      message: `${by.actor.name} declined ${name}. Nobody was paid. Reason: ${reason}`,
      relatedId: id,
      at,
    });
  }
  return getPayrollBatch(tx, id, by.actor.id);
}

/** When an approved batch is sent: a funding immediately, a payroll after the company's window. */
async function sendingTime(
  tx: Tx,
  { fundingType }: { fundingType: FundingType | null },
  at: Date,
): Promise<Date> {
  if (fundingType !== null) return at;
  const { payrollCancelSeconds } = await readSettings(tx);
  return new Date(at.getTime() + payrollCancelSeconds * 1000);
}

async function lockWaiting(tx: Tx, id: string, action: 'approve' | 'decline') {
  const batch = await tx
    .selectFrom('payrollBatch')
    .select(['status', 'createdBy', 'totalMinor', 'needsApproval', 'approvedAt', 'name'])
    .select('fundingType')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const { status } = batch;
  if (!waitsForApproval(batch) || !can(payrollCan, action, status)) {
    const lastAct = await describeLastAct(tx, { type: 'payroll_batch', id });
    throw new AppError('payroll_wrong_status', { status, ...lastAct });
  }
  return batch;
}

interface Act {
  id: string;
  action: string;
  at: Date;
  details: Record<string, string | boolean>;
}

function record(tx: Tx, by: CommandContext, { id, action, at, details }: Act): void {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'payroll_batch',
    subjectId: id,
    details: { ...details, at: at.toISOString() },
  });
  publish(tx, { topic: 'payroll', userId: null });
}
