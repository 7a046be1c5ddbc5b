import { zoneOf } from '#contract/time-zones.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { without } from '#server/lib/without.ts';
import { RESHAPED_COLUMNS } from './company-settings.ts';
import type { CompanySettings } from './company-settings.ts';

/** The company's settings; the migrations make their one row. */
export async function readSettings(reader: Reader): Promise<CompanySettings> {
  const row = await selectSettings(reader).selectAll().executeTakeFirstOrThrow();
  return {
    ...without(row, RESHAPED_COLUMNS),
    timeZoneId: row.timeZone,
    timeZone: zoneOf(row.timeZone),
    schedule:
      row.payrollFrequency === null
        ? null
        : {
            frequency: row.payrollFrequency,
            day: row.payrollDay,
            days: row.payrollDays,
            firstPayday: row.payrollFirstPayday,
          },
    receivingBank: presentBank(row.receivingBankName, row.receivingBankAddress),
    receivingAccount: presentAccount(row.receivingRoutingNumber, row.receivingAccountNumber),
  };
}

function selectSettings(reader: Reader) {
  return reader.selectFrom('companySettings').modifyFront(prepared);
}

/** Settings that decide if money may be requested, in which currency and on which day. */
export type MoneyRules = Pick<
  CompanySettings,
  'currency' | 'timeZone' | 'requireApprovedIdentity' | 'payoutsStoppedAt' | 'paymentMailAboveMinor'
>;

/** The settings that a request for money asks: the whole row has ten times as many columns. */
export async function readMoneyRules(reader: Reader): Promise<MoneyRules> {
  const row = await selectSettings(reader)
    .select(['currency', 'timeZone', 'requireApprovedIdentity', 'payoutsStoppedAt'])
    .select('paymentMailAboveMinor')
    .executeTakeFirstOrThrow();
  return { ...row, timeZone: zoneOf(row.timeZone) };
}

/** The company's name, for what is written to people. */
export async function readCompanyName(reader: Reader): Promise<string> {
  const { companyName } = await selectSettings(reader)
    .select('companyName')
    .executeTakeFirstOrThrow();
  return companyName;
}

/** The table's check has both or neither. */
function presentBank(
  name: string | null,
  address: string | null,
): CompanySettings['receivingBank'] {
  return name === null || address === null ? null : { name, address };
}

/** The table's check has both, neither, or an IBAN without a routing number. */
function presentAccount(
  routingNumber: string | null,
  accountNumber: string | null,
): CompanySettings['receivingAccount'] {
  return accountNumber === null ? null : { routingNumber: routingNumber ?? '', accountNumber };
}
