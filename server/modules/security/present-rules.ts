import type { SecurityRules } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { thresholdOf } from './require-second-person.ts';

/** The rules of security as they are. */
export function presentRules(settings: CompanySettings): SecurityRules {
  const { currency } = settings;
  const from = (minor: bigint | null) => (minor === null ? null : money(minor, currency));
  return {
    joinPolicy: settings.joinPolicy,
    joinDomains: [...settings.joinDomains],
    payrollLineLimit: money(settings.payrollLineLimitMinor, currency),
    payrollBatchLimit: money(settings.payrollBatchLimitMinor, currency),
    separateFrom: {
      payroll: from(thresholdOf(settings, 'payroll')),
      bankAccount: from(thresholdOf(settings, 'bankAccount')),
      payout: from(thresholdOf(settings, 'payout')),
      return: from(thresholdOf(settings, 'return')),
    },
    payoutCoolingHours: settings.payoutCoolingHours,
    requireAdminTwoFactor: settings.requireAdminTwoFactor,
    adminIdleMinutes: settings.adminIdleMinutes,
    employeeIdleMinutes: settings.employeeIdleMinutes,
  };
}
