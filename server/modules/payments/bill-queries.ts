import type { AdminBill, Bill, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { selectBills } from './bill-rows.ts';
import type { BillRow } from './bill-rows.ts';
import { presentAdminBill, presentBill } from './present-bill.ts';

/** One of a person's own. @throws {AppError} `bill_not_found`, also for another person's */
export async function getOwnBill(reader: Reader, userId: string, id: string): Promise<Bill> {
  const row = await loadBill(reader, id);
  if (row.userId !== userId) throw new AppError('bill_not_found');
  return presentBill(row);
}

/** @throws {AppError} `bill_not_found` */
export async function getAdminBill(reader: Reader, id: string): Promise<AdminBill> {
  return presentAdminBill(await loadBill(reader, id));
}

/** @throws {AppError} `bill_not_found` */
export async function loadBill(reader: Reader, id: string): Promise<BillRow> {
  const row = await selectBills(reader).where('bill.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bill_not_found');
  return row;
}

/** A person's bills whose money is held, soonest first, and its sum. */
export async function listScheduledBills(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listScheduledBills'>> {
  const { currency } = await readSettings(reader);
  const rows = await selectBills(reader)
    .where('bill.userId', '=', userId)
    .where('bill.status', 'in', ['scheduled', 'due', 'sent'])
    .orderBy('bill.payOn')
    .orderBy('bill.id')
    .execute();
  const heldMinor = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return { items: rows.map(presentBill), held: money(heldMinor, currency) };
}
