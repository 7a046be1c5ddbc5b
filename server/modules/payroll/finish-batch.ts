import { formatMoney, money } from '#contract/money.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Progress } from './mark-lines.ts';
import { finalStatus } from './rules.ts';
import { mailPaid } from './notify-paid.ts';

/** Closes a batch whose lines are all decided, and notifies the admin who made it. */
export async function finishBatch(tx: Tx, batch: Progress, now: Date): Promise<void> {
  const status = finalStatus(batch.paidCount);
  if (batch.mailedAt === null) await mailPaid(tx, batch.id);
  await tx
    .updateTable('payrollBatch')
    .set({ status, processedAt: now, mailedAt: batch.mailedAt ?? now, updatedAt: now })
    .where('id', '=', batch.id)
    .execute();
  recordAudit(tx, {
    by: { actor: 'system' },
    action: `payroll.${status}`,
    subjectType: 'payroll_batch',
    subjectId: batch.id,
    details: {
      paid: batch.paidCount,
      failed: batch.failedCount,
      paidMinor: batch.paidMinor.toString(),
      at: now.toISOString(),
    },
  });
  // Who funds an employee without a second admin has the outcome before them.
  if (batch.fundingType !== null && !batch.needsApproval) return;
  notify(tx, batch.createdBy, {
    ...(batch.fundingType === null ? result(batch) : fundingResult(batch)),
    relatedId: batch.id,
    at: now,
  });
}

/** What the admin reads when a batch is finished. */
function result(batch: Progress): { kind: PersonalKind; message: string } {
  if (batch.paidCount === 0) {
    return {
      kind: 'payroll-failed',
      message: `There was an error processing the payroll. Nobody was paid by ${batch.name}.`,
    };
  }
  const total = formatMoney(money(batch.paidMinor, batch.currency));
  const paid = `${total} paid to ${people(batch.paidCount)} by ${batch.name}.`;
  const failed =
    batch.failedCount > 0 ? ` ${people(batch.failedCount)} could not be paid; you can retry.` : '';
  return { kind: 'payroll-processed', message: paid + failed };
}

function fundingResult(batch: Progress): { kind: PersonalKind; message: string } {
  if (batch.paidCount === 0) {
    return {
      kind: 'funding-failed',
      message: `${batch.name} could not be paid. You can retry it in the history of payrolls.`,
    };
  }
  const total = formatMoney(money(batch.paidMinor, batch.currency));
  return { kind: 'funding-completed', message: `${total} paid by ${batch.name}.` };
}

function people(count: number): string {
  return count === 1 ? '1 employee' : `${count.toLocaleString('en-US')} employees`;
}
