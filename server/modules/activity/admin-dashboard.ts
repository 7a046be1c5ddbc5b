import type { AdminDashboard } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { ADMIN_RECENT_ACTIVITY, CASH_OUT_WEEKS, UPCOMING_PAYROLL } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import { companyActivity } from '#server/modules/history/index.ts';
import { newestDrafts, nextPayrollDay } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import {
  cashOutByWeek,
  countEmployees,
  monthlyPayroll,
  pendingDeposits,
} from './admin-dashboard-figures.ts';
import { unfinishedBatches } from './unfinished-batches.ts';
import { systemHealth } from './system-health.ts';

/** The company at a glance; days, weeks and months are the company's. */
export async function getAdminDashboard(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  actorId: string,
): Promise<AdminDashboard> {
  const settings = await readSettings(reader);
  const { currency, timeZone } = settings;
  const now = clock.now();
  const today = dayIn(timeZone, now);
  const calendar = { currency, timeZone, today };
  return {
    ...(await countEmployees(reader, calendar)),
    monthlyPayroll: await monthlyPayroll(reader, calendar),
    pendingDeposits: await pendingDeposits(reader, currency),
    systemHealth: await systemHealth(reader, now),
    recentActivity: await companyActivity(reader, ADMIN_RECENT_ACTIVITY),
    upcomingPayroll: await unfinishedBatches(reader, actorId, { isForApproval: false }),
    upcomingDrafts: await newestDrafts(reader, settings, UPCOMING_PAYROLL),
    nextPayroll: await nextPayrollDay(reader, settings, now),
    cashOutByWeek: await cashOutByWeek(reader, { ...calendar, weeks: CASH_OUT_WEEKS }),
    setup: await openSetup(reader),
  };
}

async function openSetup(reader: Reader): Promise<AdminDashboard['setup']> {
  const row = await reader
    .selectFrom('companySetup')
    .select((from) =>
      from
        .selectFrom('companySetupStep')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('decided'),
    )
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : { decided: Number(row.decided) };
}
