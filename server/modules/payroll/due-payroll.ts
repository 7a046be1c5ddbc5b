import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { Department } from '#contract/company.ts';
import { PAYROLL_REMINDER_DAYS } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { duringDay, nextPayrollDate } from '#server/lib/calendar.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

export type DuePayroll = NonNullable<RouteReply<'adminGetPayrollStats'>['due']>;

interface LastOrder {
  walletType: WalletType;
  department: Department | 'all';
  amountMinor: bigint;
  currency: Currency;
  description: string;
}

/**
 * The payday of the company's schedule that has come near (`PAYROLL_REMINDER_DAYS`) and for which no
 * payroll was sent yet, with what was ordered last, as a proposal. Null where nothing is due: without a
 * schedule nothing ever is. A payroll that was sent since the payday came near counts for it, unless it
 * was declined or cancelled, or paid nobody.
 */
export async function findDuePayroll(reader: Reader, now: Date): Promise<DuePayroll | null> {
  const settings = await readSettings(reader);
  const dueOn = nearPayday(settings, now);
  if (dueOn === null) return null;
  const isNear = sql`(${addDays(dueOn, -PAYROLL_REMINDER_DAYS)}::date)::timestamp
                     AT TIME ZONE ${settings.timeZone}`;
  const { rows } = await sql<LastOrder & { isSent: boolean }>`
    SELECT wallet_type, department, amount_minor, currency, description,
           created_at >= ${isNear} AS is_sent
      FROM payroll_batch
     WHERE funding_type IS NULL AND status IN ('pending', 'processing', 'completed')
     ORDER BY created_at DESC LIMIT 1`.execute(reader);
  const [last] = rows;
  if (last?.isSent === true) return null;
  return {
    on: dueOn,
    last:
      last === undefined || last.currency !== settings.currency
        ? null
        : {
            walletType: last.walletType,
            department: last.department,
            amount: money(last.amountMinor, last.currency),
            description: last.description,
          },
  };
}

/** The payday of the schedule that is today or at most so many days ahead; null where there is none. */
function nearPayday(settings: CompanySettings, now: Date): string | null {
  if (settings.schedule === null) return null;
  const today = dayIn(settings.timeZone, now);
  // A payday itself is still due on its day.
  const payday = nextPayrollDate(settings, duringDay(addDays(today, -1)));
  return payday <= addDays(today, PAYROLL_REMINDER_DAYS) ? payday : null;
}
