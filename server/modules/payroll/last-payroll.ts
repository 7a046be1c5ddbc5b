import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { isPayday } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** The payrolls of the newest payday, with which amounts are compared. */
export interface LastPayroll {
  /** `2026-11-27`. */
  on: string;
  batchIds: string[];
}

/** Far enough back for a payday of a monthly schedule behind many payments in between. */
const LOOK_BACK = 200;

interface PaidBatch {
  id: string;
  on: string;
}

/**
 * The last payroll into a type of wallet: all completed batches of the newest payday of the schedule. One outside
 * a payday, such as a bonus, counts only where no payroll was on a payday. Null before the first.
 */
export async function findLastPayroll(
  reader: Reader,
  settings: CompanySettings,
  walletType: WalletType,
): Promise<LastPayroll | null> {
  const rows = await reader
    .selectFrom('payrollBatch')
    .select(['id', 'payOn', 'createdAt'])
    .where('walletType', '=', walletType)
    .where('status', '=', 'completed')
    .where('fundingType', 'is', null)
    .where('currency', '=', settings.currency)
    .orderBy(sql`coalesce(pay_on, created_at)`, 'desc')
    .limit(LOOK_BACK)
    .execute();
  const paid: PaidBatch[] = rows.map(({ id, payOn, createdAt }) => ({
    id,
    on: payOn ?? dayIn(settings.timeZone, createdAt),
  }));
  const newest = paid.find(({ on }) => isPayday(settings, on)) ?? paid[0];
  if (newest === undefined) return null;
  return { on: newest.on, batchIds: paid.filter(({ on }) => on === newest.on).map(({ id }) => id) };
}

/** SQL of a query for `user_id` and `minor`: the amount that those batches paid each person, less what was taken back. */
export function paidByLast(last: LastPayroll | null) {
  return sql`
    SELECT user_id, sum(amount_minor - reversed_minor)::bigint AS minor FROM payroll_line
     WHERE batch_id = ANY (${last?.batchIds ?? []}::uuid[]) AND status = 'processed'
     GROUP BY user_id`;
}
