import { dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkMayLeave, lockBill } from './lock-bill.ts';
import { amountAndPayee, recordBill } from './record-bill.ts';

/** Bills that are looked at in one run; the rest is looked at in the next, a minute later. */
const BILLS_PER_RUN = 1_000;

/** Why a bill is left for later: it was changed meanwhile, or its money may not leave yet. */
const LATER = [...['bill_wrong_status', 'payouts_stopped', 'payouts_frozen', 'payout_cooling_off']];

/**
 * Takes the bills whose day has come for payout: from then on they wait for an admin and their owners
 * cannot change them. Each is a transaction of its own that locks the bill and finds it scheduled, so
 * that a killed process leaves the rest to the next run and two at once take none twice. A bill whose
 * money may not leave yet (frozen, cooling-off, payouts stopped) stays scheduled and is asked again.
 *
 * @returns how many were taken
 */
export async function takeBills(db: Db, services: Pick<Services, 'clock'>): Promise<number> {
  const { timeZone } = await readSettings(db);
  const today = dayIn(timeZone, services.clock.now());
  const due = await db
    .selectFrom('bill')
    .select('id')
    .where('status', '=', 'scheduled')
    .where('payOn', '<=', today)
    .orderBy('payOn')
    .orderBy('id')
    .limit(BILLS_PER_RUN)
    .execute();
  let taken = 0;
  for (const { id } of due) if (await takeBill(db, services, id)) taken += 1;
  return taken;
}

async function takeBill(db: Db, services: Pick<Services, 'clock'>, id: string): Promise<boolean> {
  try {
    await withTx(db, async (tx) => {
      const bill = await lockBill(tx, { id, action: 'take' });
      await checkMayLeave(tx, services, bill);
      const at = services.clock.now();
      await tx
        .updateTable('bill')
        .set({ status: 'due', takenAt: at, updatedAt: at })
        .where('id', '=', id)
        .execute();
      recordBill(tx, { actor: 'system' }, bill, { at, action: 'bill.taken' });
      notifyAdmins(tx, {
        type: 'info',
        title: 'Bill to pay',
        message: `${amountAndPayee(bill)} is to be sent.`,
        relatedId: id,
        at,
      });
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && LATER.includes(error.code)) return false;
    throw error;
  }
}
