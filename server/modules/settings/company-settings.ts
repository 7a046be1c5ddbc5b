import type { Selectable } from 'kysely';
import type { TimeZoneId } from '#contract/time-zones.ts';
import type { CompanySettings as CompanySettingsTable } from '#server/db/schema.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';

/** Columns that the server reads as one value, or not at all. */
export const RESHAPED_COLUMNS = [
  ...(['id', 'updatedAt', 'timeZone'] as const),
  ...(['payrollFrequency', 'payrollDay', 'payrollDays', 'payrollFirstPayday'] as const),
  ...(['receivingBankName', 'receivingBankAddress'] as const),
  ...(['receivingRoutingNumber', 'receivingAccountNumber'] as const),
] as const;

/**
 * The company's settings. Most are the columns of the table under their own names, which say the unit
 * (Minutes, Days, Minor); contract/settings.ts says what each means. A text that is not set is null, and an
 * amount of null is no limit. The server alone sets three: `employeeNumberPrefix` (`TR` makes `TR-0147`),
 * `payoutsStoppedAt` (since when payouts are stopped for unsound books) and `demo`.
 */
export interface CompanySettings extends Omit<
  Selectable<CompanySettingsTable>,
  (typeof RESHAPED_COLUMNS)[number]
> {
  /** As chosen on the settings screen. */
  timeZoneId: TimeZoneId;
  /** The IANA name behind it, `America/New_York`: the zone of every day, month and daily limit. */
  timeZone: string;
  /** Days on which payroll is due; null where none are set. */
  schedule: PayrollSchedule | null;
  /** The company's bank, for people who send a wire. */
  receivingBank: { name: string; address: string } | null;
  /** The company's account there, which deposits are sent to, with its whole numbers (contract/account-formats.ts). */
  receivingAccount: { routingNumber: string; accountNumber: string } | null;
}

/** The company's name on what others rely on: papers, and whom money is paid to. */
export function legalNameOf({ companyName, legalName }: CompanySettings): string {
  return legalName ?? companyName;
}

/** Changes; what is left out stays as it is. A schedule of null keeps the two days of payroll twice a month. */
export type SettingsPatch = Partial<Omit<CompanySettings, 'version' | 'timeZone'>>;
