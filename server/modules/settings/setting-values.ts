import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { CompanySettings } from './company-settings.ts';
import { initialMailOf } from './initial-mail.ts';
import { offeredMethodsOf } from './offered-methods.ts';
import type { SettingsPatch } from './update-settings.ts';

/** The settings as admins see and change them. */
export function settingValues(settings: CompanySettings): SettingValues {
  const { currency, receivingBank, receivingAccount, schedule } = settings;
  const orNone = (minor: bigint | null) => (minor === null ? null : money(minor, currency));
  return {
    companyName: settings.companyName,
    legalName: settings.legalName ?? '',
    mailingAddress: settings.mailingAddress ?? '',
    supportEmail: settings.supportEmail ?? '',
    currency,
    timeZone: settings.timeZoneId,
    joinPolicy: settings.joinPolicy,
    joinDomains: [...settings.joinDomains],
    receivingBankName: receivingBank?.name ?? '',
    receivingBankAddress: receivingBank?.address ?? '',
    receivingRoutingNumber: receivingAccount?.routingNumber ?? '',
    receivingAccountNumber: receivingAccount?.accountNumber ?? '',
    cardPaymentPage: settings.cardPaymentPage ?? '',
    ...offeredMethodsOf(settings),
    depositNote: settings.depositNote ?? '',
    requireAdminTwoFactor: settings.requireAdminTwoFactor,
    adminIdleMinutes: settings.adminIdleMinutes,
    employeeIdleMinutes: settings.employeeIdleMinutes,
    requireApprovedIdentity: settings.requireApprovedIdentity,
    payoutCoolingHours: settings.payoutCoolingHours,
    stopPayoutsWhenUnsound: settings.stopPayoutsWhenUnsound,
    separatePayroll: orNone(settings.separatePayrollMinor),
    separateBankAccount: orNone(settings.separateBankAccountMinor),
    separatePayout: orNone(settings.separatePayoutMinor),
    separateReturn: orNone(settings.separateReturnMinor),
    kycMinAgeYears: settings.kycMinAgeYears,
    kycRetentionDays: settings.kycRetentionDays,
    ...initialMailOf(settings),
    payrollFrequency: schedule?.frequency ?? 'none',
    payrollFirstPayday: schedule?.firstPayday ?? '',
    payrollDays: schedule?.days ?? '15_last',
    payrollDay: schedule?.day ?? 'last',
    paydayMoves: settings.paydayMoves,
    payrollCancelSeconds: settings.payrollCancelSeconds,
    payrollLineLimit: money(settings.payrollLineLimitMinor, currency),
    payrollBatchLimit: money(settings.payrollBatchLimitMinor, currency),
  };
}

/** The same settings as they are kept. Amounts are of their currency: the caller has checked it. */
export function patchOfValues(values: SettingValues): SettingsPatch {
  const { receivingBankName: name, receivingBankAddress: address, payrollFrequency } = values;
  const { receivingRoutingNumber: routingNumber, receivingAccountNumber: accountNumber } = values;
  const minorOf = (amount: Money | null) => (amount === null ? null : BigInt(amount.minor));
  return {
    companyName: values.companyName,
    legalName: orNull(values.legalName),
    mailingAddress: orNull(values.mailingAddress),
    supportEmail: orNull(values.supportEmail),
    currency: values.currency,
    timeZoneId: values.timeZone,
    joinPolicy: values.joinPolicy,
    joinDomains: [...new Set(values.joinDomains)].toSorted(),
    receivingBank: name === '' || address === '' ? null : { name, address },
    receivingAccount:
      routingNumber === '' || accountNumber === '' ? null : { routingNumber, accountNumber },
    cardPaymentPage: orNull(values.cardPaymentPage),
    ...offeredMethodsOf(values),
    depositNote: orNull(values.depositNote),
    requireAdminTwoFactor: values.requireAdminTwoFactor,
    adminIdleMinutes: values.adminIdleMinutes,
    employeeIdleMinutes: values.employeeIdleMinutes,
    requireApprovedIdentity: values.requireApprovedIdentity,
    payoutCoolingHours: values.payoutCoolingHours,
    stopPayoutsWhenUnsound: values.stopPayoutsWhenUnsound,
    separatePayrollMinor: minorOf(values.separatePayroll),
    separateBankAccountMinor: minorOf(values.separateBankAccount),
    separatePayoutMinor: minorOf(values.separatePayout),
    separateReturnMinor: minorOf(values.separateReturn),
    kycMinAgeYears: values.kycMinAgeYears,
    kycRetentionDays: values.kycRetentionDays,
    ...initialMailOf(values),
    schedule:
      payrollFrequency === 'none'
        ? null
        : {
            frequency: payrollFrequency,
            day: values.payrollDay,
            days: values.payrollDays,
            firstPayday: orNull(values.payrollFirstPayday),
          },
    paydayMoves: values.paydayMoves,
    payrollCancelSeconds: values.payrollCancelSeconds,
    payrollLineLimitMinor: BigInt(values.payrollLineLimit.minor),
    payrollBatchLimitMinor: BigInt(values.payrollBatchLimit.minor),
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

/** The settings that differ. */
export function changedNames(before: SettingValues, after: SettingValues): SettingName[] {
  return SETTING_NAMES.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
