import { TIME_ZONE_IDS, TIME_ZONES } from '#contract/company.ts';
import { CURRENCIES } from '#contract/money.ts';
import { JOIN_POLICIES } from '#contract/people.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { DEMO_STATES, PAYROLL_DAYS, PAYROLL_FREQUENCIES } from './company-settings.ts';
import type { CompanySettings, PayrollSchedule } from './company-settings.ts';

/** The company's settings; the migrations make their one row. */
export async function readSettings(reader: Reader): Promise<CompanySettings> {
  const row = await reader
    .selectFrom('companySettings')
    .modifyFront(prepared)
    .selectAll()
    .executeTakeFirstOrThrow();
  const timeZoneId = oneOf(TIME_ZONE_IDS, row.timeZone, 'time zone');
  return {
    companyName: row.companyName,
    currency: oneOf(CURRENCIES, row.currency, 'currency'),
    timeZoneId,
    timeZone: TIME_ZONES[timeZoneId],
    routingNumber: row.routingNumber,
    employeeNumberPrefix: row.employeeNumberPrefix,
    requireApprovedIdentity: row.requireApprovedIdentity,
    kycMinAgeYears: row.kycMinAgeYears,
    kycRetentionDays: row.kycRetentionDays,
    adminIdleMinutes: row.adminIdleMinutes,
    employeeIdleMinutes: row.employeeIdleMinutes,
    requireAdminTwoFactor: row.requireAdminTwoFactor,
    stopPayoutsWhenUnsound: row.stopPayoutsWhenUnsound,
    payoutsStoppedAt: row.payoutsStoppedAt,
    payrollCancelSeconds: row.payrollCancelSeconds,
    payrollLineLimitMinor: row.payrollLineLimitMinor,
    payrollBatchLimitMinor: row.payrollBatchLimitMinor,
    separatePayrollMinor: row.separatePayrollMinor,
    separateBankAccountMinor: row.separateBankAccountMinor,
    separatePayoutMinor: row.separatePayoutMinor,
    separateReturnMinor: row.separateReturnMinor,
    payoutCoolingHours: row.payoutCoolingHours,
    joinPolicy: oneOf(JOIN_POLICIES, row.joinPolicy, 'join policy'),
    joinDomains: row.joinDomains,
    schedule: presentSchedule(row.payrollFrequency, row.payrollDay),
    supportEmail: row.supportEmail,
    mailingAddress: row.mailingAddress,
    receivingBank: presentBank(row.receivingBankName, row.receivingBankAddress),
    cardPaymentPage: row.cardPaymentPage,
    demo: oneOf(DEMO_STATES, row.demo, 'demo state'),
  };
}

function presentSchedule(frequency: string | null, day: string | null): PayrollSchedule | null {
  if (frequency === null) return null;
  return {
    frequency: oneOf(PAYROLL_FREQUENCIES, frequency, 'payroll frequency'),
    day: day === null ? null : oneOf(PAYROLL_DAYS, day, 'payroll day'),
  };
}

/** The table's check has both or neither. */
function presentBank(
  name: string | null,
  address: string | null,
): CompanySettings['receivingBank'] {
  return name === null || address === null ? null : { name, address };
}

/** The table's checks allow exactly these values; anything else is a migration gone wrong. */
function oneOf<T extends string>(allowed: readonly T[], value: string, what: string): T {
  return invariant(
    allowed.find((one) => one === value),
    `unknown ${what} in the company settings: ${value}`,
  );
}
