import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { findDuePayroll } from './due-payroll.ts';
import type { DuePayroll } from './due-payroll.ts';

/**
 * Notifies the admins of a payday that has come near and for which no payroll was sent: once for each
 * payday, however often and in how many processes it is called. Called each hour.
 *
 * @returns whether they were notified now
 */
export async function remindOfPayroll(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
): Promise<boolean> {
  const at = clock.now();
  return withTx(db, async (tx) => {
    const due = await findDuePayroll(tx, await readSettings(tx), at);
    if (due === null || due.orders.some(({ isSent }) => isSent)) return false;
    const reminder = await tx
      .insertInto('payrollReminder')
      .values({ dueOn: due.on, remindedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('dueOn')
      .executeTakeFirst();
    if (reminder === undefined) return false;
    notifyAdmins(tx, { kind: 'payroll-due', message: wordsOf(due), at });
    return true;
  });
}

function wordsOf({ on, orders }: DuePayroll): string {
  const [year, month, day] = on.split('-').map(Number);
  const due = `Payroll is due on ${month}/${day}/${year} and has not been sent yet.`;
  return orders.length === 0 ? due : `${due} You can fill the form with the last payroll.`;
}
