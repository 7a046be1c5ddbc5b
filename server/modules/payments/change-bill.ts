import type { Bill } from '#contract/api.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { act } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { getOwnBill } from './bill-queries.ts';
import { bills } from './bill.ts';
import { sendBill } from './schedule-bill.ts';
import type { NewBill } from './schedule-bill.ts';

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
  const newBillId = newId(services.clock.now().getTime());
  await act(tx, services, by, bills, 'change', { id, details: { replacedBy: newBillId } });
  const order = { ...change, id: newBillId };
  await sendBill(tx, services, by, order, { act: 'replace', replaces: id });
  return getOwnBill(tx, services, by, newBillId);
}
