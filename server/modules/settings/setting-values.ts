import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import { without } from '#server/lib/without.ts';
import type { CompanySettings, SettingsPatch } from './company-settings.ts';

/** Settings that are kept in another shape than admins see them, or that admins do not see. */
const KEPT_OTHERWISE = [
  ...(['version', 'demo', 'employeeNumberPrefix', 'payoutsStoppedAt'] as const),
  ...(['timeZoneId', 'timeZone', 'schedule', 'receivingBank', 'receivingAccount'] as const),
  ...(['payrollLineLimitMinor', 'payrollBatchLimitMinor', 'separatePayrollMinor'] as const),
  ...(['separateDepositMinor', 'separateBankAccountMinor'] as const),
  ...(['separatePayoutMinor', 'separateReturnMinor'] as const),
  ...(['separateUsualPayMinor'] as const),
  ...(['newBrowserLimitMinor', 'paymentMailAboveMinor', 'automaticPayoutBelowMinor'] as const),
  'payoutSameDayMostMinor',
] as const;

/** The same settings as admins see them. */
const SHOWN_OTHERWISE = [
  ...(['timeZone', 'receivingBankName', 'receivingBankAddress'] as const),
  ...(['receivingRoutingNumber', 'receivingAccountNumber'] as const),
  ...(['payrollFrequency', 'payrollDay', 'payrollDays', 'payrollFirstPayday'] as const),
  ...(['payrollLineLimit', 'payrollBatchLimit', 'separatePayroll'] as const),
  ...(['separateDeposit', 'separateBankAccount', 'separatePayout', 'separateReturn'] as const),
  ...(['separateUsualPay'] as const),
  ...(['newBrowserLimit', 'paymentMailAbove', 'automaticPayoutBelow'] as const),
  'payoutSameDayMost',
] as const;

/** The settings as admins see and change them. */
export function settingValues(settings: CompanySettings): SettingValues {
  const { currency, receivingBank, receivingAccount, schedule } = settings;
  const orNone = (minor: bigint | null) => (minor === null ? null : money(minor, currency));
  return {
    ...without(settings, KEPT_OTHERWISE),
    legalName: settings.legalName ?? '',
    mailingAddress: settings.mailingAddress ?? '',
    supportEmail: settings.supportEmail ?? '',
    timeZone: settings.timeZoneId,
    receivingBankName: receivingBank?.name ?? '',
    receivingBankAddress: receivingBank?.address ?? '',
    receivingRoutingNumber: receivingAccount?.routingNumber ?? '',
    receivingAccountNumber: receivingAccount?.accountNumber ?? '',
    cardPaymentPage: settings.cardPaymentPage ?? '',
    depositNote: settings.depositNote ?? '',
    payoutBankName: settings.payoutBankName ?? '',
    payoutRoutingNumber: settings.payoutRoutingNumber ?? '',
    payoutAccountNumber: settings.payoutAccountNumber ?? '',
    payoutCompanyId: settings.payoutCompanyId ?? '',
    payoutOrigin: settings.payoutOrigin ?? '',
    separatePayroll: orNone(settings.separatePayrollMinor),
    separateDeposit: orNone(settings.separateDepositMinor),
    separateBankAccount: orNone(settings.separateBankAccountMinor),
    separatePayout: orNone(settings.separatePayoutMinor),
    separateReturn: orNone(settings.separateReturnMinor),
    separateUsualPay: orNone(settings.separateUsualPayMinor),
    newBrowserLimit: money(settings.newBrowserLimitMinor, currency),
    paymentMailAbove: money(settings.paymentMailAboveMinor, currency),
    automaticPayoutBelow: orNone(settings.automaticPayoutBelowMinor),
    payoutSameDayMost: money(settings.payoutSameDayMostMinor, currency),
    payrollFrequency: schedule?.frequency ?? 'none',
    payrollFirstPayday: schedule?.firstPayday ?? '',
    payrollDays: schedule?.days ?? '15_last',
    payrollDay: schedule?.day ?? 'last',
    payrollLineLimit: money(settings.payrollLineLimitMinor, currency),
    payrollBatchLimit: money(settings.payrollBatchLimitMinor, currency),
  };
}

/** Null while a number is missing. Next to an IBAN there is no routing number. */
function receivingAccountOf({
  receivingRoutingNumber: routingNumber,
  receivingAccountNumber: accountNumber,
}: SettingValues): CompanySettings['receivingAccount'] {
  if (/^[A-Z]/.test(accountNumber)) return { routingNumber: '', accountNumber };
  return routingNumber === '' || accountNumber === '' ? null : { routingNumber, accountNumber };
}

/** The same settings as they are kept. Amounts are of their currency: the caller has checked it. */
export function patchOfValues(values: SettingValues): SettingsPatch {
  const { receivingBankName: name, receivingBankAddress: address, payrollFrequency } = values;
  const minorOf = (amount: Money | null) => (amount === null ? null : BigInt(amount.minor));
  return {
    ...without(values, SHOWN_OTHERWISE),
    legalName: orNull(values.legalName),
    mailingAddress: orNull(values.mailingAddress),
    supportEmail: orNull(values.supportEmail),
    timeZoneId: values.timeZone,
    joinDomains: [...new Set(values.joinDomains)].toSorted(),
    receivingBank: name === '' || address === '' ? null : { name, address },
    receivingAccount: receivingAccountOf(values),
    cardPaymentPage: orNull(values.cardPaymentPage),
    depositNote: orNull(values.depositNote),
    payoutBankName: orNull(values.payoutBankName),
    payoutRoutingNumber: orNull(values.payoutRoutingNumber),
    payoutAccountNumber: orNull(values.payoutAccountNumber),
    payoutCompanyId: orNull(values.payoutCompanyId),
    payoutOrigin: orNull(values.payoutOrigin),
    separatePayrollMinor: minorOf(values.separatePayroll),
    separateDepositMinor: minorOf(values.separateDeposit),
    separateBankAccountMinor: minorOf(values.separateBankAccount),
    separatePayoutMinor: minorOf(values.separatePayout),
    separateReturnMinor: minorOf(values.separateReturn),
    separateUsualPayMinor: minorOf(values.separateUsualPay),
    newBrowserLimitMinor: BigInt(values.newBrowserLimit.minor),
    paymentMailAboveMinor: BigInt(values.paymentMailAbove.minor),
    automaticPayoutBelowMinor: minorOf(values.automaticPayoutBelow),
    payoutSameDayMostMinor: BigInt(values.payoutSameDayMost.minor),
    schedule:
      payrollFrequency === 'none'
        ? null
        : {
            frequency: payrollFrequency,
            day: values.payrollDay,
            days: values.payrollDays,
            firstPayday: orNull(values.payrollFirstPayday),
          },
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
