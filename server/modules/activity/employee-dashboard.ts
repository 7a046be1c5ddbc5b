import type { RouteReply } from '#contract/api.ts';
import { dayIn, daysBetween } from '#contract/calendar.ts';
import { RECENT_ACTIVITY } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { askedRecoveries, nextPayday } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { listOpenWithdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { earningsOfYear, lastDeposit } from './earnings.ts';
import { yearSoFar } from './year-so-far.ts';

/** The figures and lists of one person's dashboard; days and years are the company's. */
export async function getEmployeeDashboard(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { userId }: { userId: string },
): Promise<RouteReply<'getEmployeeDashboard'>> {
  const settings = await readSettings(reader);
  const { currency, timeZone } = settings;
  const now = services.clock.now();
  const today = dayIn(timeZone, now);
  const payday = await nextPayday(reader, settings, { userId, now });
  const scope = await historyScope(reader, userId, settings);
  const pendingWithdrawals = await listOpenWithdrawals(reader, services, userId);
  const pendingMinor = pendingWithdrawals.reduce((sum, one) => sum + BigInt(one.amount.minor), 0n);
  return {
    lastDeposit: await lastDeposit(reader, { userId, currency }),
    nextPayroll: payday === null ? null : { date: payday, inDays: daysBetween(today, payday) },
    ...(await earningsOfYear(reader, { userId, currency, today })),
    yearSoFar: await yearSoFar(reader, { userId, currency, today }),
    recentActivity: await recentHistory(reader, scope, RECENT_ACTIVITY),
    pendingWithdrawals,
    pendingWithdrawalsTotal: money(pendingMinor, currency),
    askedRecoveries: await askedRecoveries(reader, { userId, today }),
  };
}
