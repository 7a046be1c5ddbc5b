import { sql } from 'kysely';
import type { AdminBill, Bill, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  refusalOfNextStep,
  withActs,
  withItsActs,
  withUnwrittenActs,
} from '#server/modules/acts/index.ts';
import { readPayoutContext } from '#server/modules/bank-accounts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { bills } from './bill.ts';
import { selectBills } from './bill-rows.ts';
import type { BillRow } from './bill-rows.ts';
import { presentAdminBill, presentBill } from './present-bill.ts';

/** Time for which a bill that came back is listed to be sent again. */
const RETURNED_SHOWN_MS = 60 * 24 * 3_600_000;

type Clocked = Pick<Services, 'clock'>;

/** One of the acting person's own. @throws {AppError} `bill_not_found`, also for another person's */
export async function getOwnBill(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
): Promise<Bill> {
  const row = await loadBill(reader, id);
  if (row.userId !== actor.id) throw new AppError('bill_not_found');
  return presentBill(await withItsActs(reader, services, bills, { actor, as: 'owner' }, row));
}

/** @throws {AppError} `bill_not_found` */
export async function loadAdminBill(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
): Promise<AdminBill> {
  const row = await loadBill(reader, id);
  return presentAdminBill(await withItsActs(reader, services, bills, { actor, as: 'admin' }, row));
}

/** One of anybody's, with what its payer has and what was changed recently. @throws {AppError} `bill_not_found` */
export async function getAdminBill(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminGetBill'>> {
  const shown = await loadAdminBill(reader, services, by, id);
  const context = await readPayoutContext(reader, {
    userId: shown.employee.id,
    walletId: shown.walletId,
    destination: pastOfPayee(shown.payee.id),
    refusal: refusalOfNextStep(bills.thing, shown.acts),
  });
  return { ...shown, context };
}

/** SQL of a payee as the destination of a payout. One that was edited is another row, which names the former. */
function pastOfPayee(id: string) {
  return sql`
    SELECT payee.created_at AS changed_at, past.*,
           NOT EXISTS (SELECT FROM audit_event
                        WHERE subject_type = 'payee' AND subject_id = payee.id
                          AND action = 'payee.added' AND details ? 'replaces') AS is_new
      FROM payee,
           (SELECT count(*) FILTER (WHERE status = 'paid')::int AS paid,
                   min(moved_at) FILTER (WHERE status = 'paid') AS first_at,
                   count(*) FILTER (WHERE status = 'returned')::int AS returned
              FROM bill WHERE payee_id = ${id}) AS past
     WHERE payee.id = ${id}`;
}

/** @throws {AppError} `bill_not_found` */
export async function loadBill(reader: Reader, id: string): Promise<BillRow> {
  const row = await selectBills(reader).where('bill.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bill_not_found');
  return withUnwrittenActs(reader, bills.thing, row);
}

/** A person's bills whose money is held, soonest first, and its sum; and those that came back and can be sent again. */
export async function listScheduledBills(
  reader: Reader,
  services: Clocked,
  userId: string,
): Promise<RouteReply<'listScheduledBills'>> {
  const settings = await readSettings(reader);
  const held = selectBills(reader)
    .where('bill.userId', '=', userId)
    .where('bill.status', 'in', ['scheduled', 'due', 'sent'])
    .orderBy('bill.payOn')
    .orderBy('bill.id');
  const who = { actor: { id: userId }, as: 'owner' } as const;
  const rows = await withActs(reader, services, bills, who, held, settings);
  const heldMinor = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const back = selectBills(reader)
    .where('bill.userId', '=', userId)
    .where('bill.status', '=', 'returned')
    .where('bill.movedAt', '>', new Date(services.clock.now().getTime() - RETURNED_SHOWN_MS))
    .orderBy('bill.movedAt', 'desc')
    .orderBy('bill.id', 'desc');
  const returned = await withActs(reader, services, bills, who, back, settings);
  return {
    items: rows.map(presentBill),
    held: money(heldMinor, settings.currency),
    returned: returned.filter(({ resentAs }) => resentAs === null).map(presentBill),
  };
}
