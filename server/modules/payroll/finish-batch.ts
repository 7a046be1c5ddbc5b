import { formatMoney, money } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { Tx } from '#server/db/tx.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Progress } from './mark-lines.ts';
import { employeesOf, finalStatus } from './rules.ts';
import { isNotifiedLater, mailPaid } from './notify-paid.ts';

/**
 * Closes a batch whose lines are all decided, and notifies the admin who made it. Mails of more than `mailedLines` lines
 * are left to `mailRest`.
 */
export async function finishBatch(
  tx: Tx,
  batch: Progress,
  { mailedLines, now }: { mailedLines: number; now: Date },
): Promise<void> {
  const status = finalStatus(batch.paidCount);
  const isFirst = batch.mailedAt === null;
  const isMailedLater = isNotifiedLater(batch, mailedLines);
  if (isFirst && !isMailedLater)
    await mailPaid(tx, batch.id, { after: 0, through: batch.payableCount });
  await tx
    .updateTable('payrollBatch')
    .set({
      status,
      processedAt: now,
      mailedAt: batch.mailedAt ?? now,
      updatedAt: now,
      ...(isMailedLater && { unmailedAfter: 0 }),
    })
    .where('id', '=', batch.id)
    .execute();
  const isFunding = batch.fundingType !== null;
  const { completed, failed } = isFunding ? FUNDING_ENDS : PAYROLL_ENDS;
  journal(tx, { actor: 'system' }, payrollBatch, status === 'completed' ? completed : failed, {
    id: batch.id,
    userId: batch.createdBy,
    // An admin who funds an employee without a second admin sees the outcome on the screen.
    isSilent: isFunding && !batch.needsApproval,
    at: now,
    details: {
      paid: batch.paidCount,
      failed: batch.failedCount,
      paidMinor: batch.paidMinor.toString(),
    },
    words: {
      batch: batch.name,
      total: formatMoney(money(batch.paidMinor, batch.currency)),
      people: employeesOf(batch.paidCount),
      unpaid: batch.failedCount > 0 ? employeesOf(batch.failedCount) : null,
    },
  });
}

const PAYROLL_ENDS = { completed: 'complete', failed: 'fail' } as const;
const FUNDING_ENDS = { completed: 'completeFunding', failed: 'failFunding' } as const;
