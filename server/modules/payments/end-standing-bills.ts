import type { StandingBill } from '#contract/api.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { loadStandingBill } from './standing-bill-queries.ts';

/**
 * Ends one of the caller's standing bills. A bill of it that is scheduled already stays.
 *
 * @throws {AppError} `standing_bill_not_found`, also for another person's; `standing_bill_ended`
 */
export async function stopStandingBill(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<StandingBill> {
  await lockUser(tx, by.actor.id);
  const found = await tx
    .selectFrom('standingBill')
    .select('endedAt')
    .where('id', '=', id)
    .where('userId', '=', by.actor.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (found === undefined) throw new AppError('standing_bill_not_found');
  if (found.endedAt !== null) throw new AppError('standing_bill_ended');
  await endStandingBills(tx, by, { ids: [id], at: clock.now() });
  return loadStandingBill(tx, id);
}

/** Ends what is paid to a payee whom its owner removes; the person's row has been locked. */
export async function endStandingBillsTo(
  tx: Tx,
  by: CommandContext,
  { payeeId, at }: { payeeId: string; at: Date },
): Promise<void> {
  const rows = await tx
    .selectFrom('standingBill')
    .select('id')
    .where('payeeId', '=', payeeId)
    .where('userId', '=', by.actor.id)
    .where('endedAt', 'is', null)
    .execute();
  await endStandingBills(tx, by, { ids: rows.map(({ id }) => id), at });
}

async function endStandingBills(
  tx: Tx,
  by: CommandContext,
  { ids, at }: { ids: readonly string[]; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('standingBill')
    .set({ nextOn: null, refusal: null, endedAt: at, endedBy: by.actor.id, updatedAt: at })
    .where('id', 'in', ids)
    .execute();
  for (const id of ids) record(tx, by, 'standing_bill.stopped', { id, personId: by.actor.id, at });
}

/**
 * The next bills go to the payee that takes the place of another; the person's row has been locked.
 *
 * @returns sum of one bill of each, in minor units of the company's currency
 */
export async function moveStandingBills(
  tx: Tx,
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<bigint> {
  const moved = await tx
    .updateTable('standingBill')
    .set({ payeeId: to, updatedAt: at })
    .where('payeeId', '=', from)
    .where('endedAt', 'is', null)
    .returning('amountMinor')
    .execute();
  return moved.reduce((sumMinor, { amountMinor }) => sumMinor + amountMinor, 0n);
}
