import type { Bill } from '#contract/api.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { getOwnBill } from './bill-queries.ts';
import { lockBill } from './lock-bill.ts';
import type { LockedBill } from './lock-bill.ts';
import { amountAndPayee, recordBill } from './record-bill.ts';
import { holdBill } from './schedule-bill.ts';
import type { NewBill } from './schedule-bill.ts';

/**
 * Cancels one of one's own bills that was not taken for payout; the money is available again.
 *
 * @throws {AppError} `bill_not_found`, `bill_wrong_status`
 */
export async function cancelBill(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<Bill> {
  const bill = await lockBill(tx, { id, action: 'cancel', ownerId: by.actor.id });
  const at = clock.now();
  await release(tx, bill, { at, by });
  recordBill(tx, by, bill, {
    at,
    action: 'bill.cancelled',
    notice: {
      kind: 'bill-cancelled',
      message: `${amountAndPayee(bill)} is not paid. It is available again.`,
    },
  });
  return getOwnBill(tx, by.actor.id, id);
}

/**
 * Changes a bill that was not taken for payout. What was promised never changes, so another bill takes
 * its place, in the same transaction: the first one's money is available to the second.
 *
 * @throws {AppError} `bill_not_found`, `bill_wrong_status`, and as `scheduleBill`
 */
export async function changeBill(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, change }: { id: string; change: NewBill },
): Promise<Bill> {
  await lockUser(tx, by.actor.id);
  const bill = await lockBill(tx, { id, action: 'change', ownerId: by.actor.id });
  const at = services.clock.now();
  await release(tx, bill, { at, by });
  const newBillId = await holdBill(
    tx,
    services,
    by,
    { ...change, userId: by.actor.id },
    { kind: 'bill-changed', replaces: id },
  );
  recordBill(tx, by, bill, { at, action: 'bill.cancelled', replacedBy: newBillId });
  return getOwnBill(tx, by.actor.id, newBillId);
}

async function release(
  tx: Tx,
  bill: LockedBill,
  { at, by }: { at: Date; by: CommandContext },
): Promise<void> {
  await releaseHold(tx, bill.holdId);
  await tx
    .updateTable('bill')
    .set({ status: 'cancelled', closedAt: at, closedBy: by.actor.id, updatedAt: at })
    .where('id', '=', bill.id)
    .execute();
}
