import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { PAYROLL_PREPARED_DAYS } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { usualPay } from '#server/modules/usual-pay/index.ts';
import type { Services } from '#server/services.ts';
import { usualOrders } from '../due-payroll.ts';
import { batchName } from '../rules.ts';

/** Paydays that are looked at: those near, whose drafts may all be there, and the first one after them. */
const PAYDAYS = 4;

interface Usual {
  walletType: WalletType;
  employees: number;
  minor: bigint;
}

/**
 * Payrolls that `preparePayroll` is going to prepare from usual pay, for the first payday that has any: not where
 * its draft was prepared already, also if it was discarded, nor where that payroll was sent. None without a schedule.
 */
export async function getScheduledPayroll(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<RouteReply<'adminGetScheduledPayroll'>> {
  const settings = await readSettings(reader);
  const { timeZone, currency } = settings;
  const now = clock.now();
  const today = dayIn(timeZone, now);
  for (const { on, movedFrom } of paydaysAfter(settings, today, PAYDAYS)) {
    const preparedOn = addDays(on, -PAYROLL_PREPARED_DAYS);
    // oxlint-disable-next-line no-await-in-loop -- mostly the first or second payday
    const payrolls = await usualOf(reader, settings, on);
    const [first] = payrolls;
    if (first !== undefined) {
      const totalMinor = payrolls.reduce((sum, { minor }) => sum + minor, 0n);
      const named =
        payrolls.length === 1 ? { walletType: first.walletType, payOn: on } : { payOn: on };
      return {
        payday: {
          on,
          movedFrom,
          preparedOn: preparedOn < today ? today : preparedOn,
          name: batchName(named, now, timeZone),
          total: money(totalMinor, currency),
        },
        payrolls: payrolls.map(({ walletType, employees, minor }) => ({
          walletType,
          employees,
          total: money(minor, currency),
          name: batchName({ walletType, payOn: on }, now, timeZone),
        })),
      };
    }
  }
  return { payday: null, payrolls: [] };
}

/** People and sums of each type of wallet that a payday still has to be prepared for. */
async function usualOf(reader: Reader, settings: CompanySettings, on: string): Promise<Usual[]> {
  const orders = await usualOrders(reader, settings, on);
  const types = WALLET_TYPES.filter(
    (type) => !orders.some(({ walletType, isSent }) => isSent && walletType === type),
  );
  if (types.length === 0) return [];
  const sums = types.map(
    (walletType) => sql`
      SELECT ${walletType}::text AS wallet_type, count(*)::integer AS employees, sum(amount_minor)::bigint AS minor
        FROM (${usualPay(walletType, on)}) AS usual JOIN app_user AS person ON person.id = usual.user_id
       WHERE person.is_employee AND person.deactivated_at IS NULL
         AND NOT EXISTS (SELECT FROM payroll_draft
                          WHERE prepared_for = ${on} AND wallet_type = ${walletType})`,
  );
  const { rows } = await sql<Usual>`
    SELECT * FROM (${sql.join(sums, sql` UNION ALL `)}) AS summed WHERE employees > 0`.execute(
    reader,
  );
  return rows;
}
