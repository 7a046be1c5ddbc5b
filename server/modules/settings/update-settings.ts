import type { TimeZoneId } from '#contract/company.ts';
import type { JoinPolicy } from '#contract/people.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import type { CompanySettings, PayrollSchedule } from './company-settings.ts';
import { readSettings } from './read-settings.ts';

/** What can be changed; what is left out stays as it is. */
export interface SettingsPatch {
  companyName?: string;
  timeZoneId?: TimeZoneId;
  routingNumber?: string;
  employeeNumberPrefix?: string;
  requireApprovedIdentity?: boolean;
  /** 14 to 25. */
  kycMinAgeYears?: number;
  /** 1 to 36,500. */
  kycRetentionDays?: number;
  /** 5 to 1440. */
  adminIdleMinutes?: number;
  stopPayoutsWhenUnsound?: boolean;
  payoutsStoppedAt?: Date | null;
  /** 0 to 3600. */
  payrollCancelSeconds?: number;
  payrollLineLimitMinor?: bigint;
  payrollBatchLimitMinor?: bigint;
  separatePayrollMinor?: bigint | null;
  separateBankAccountMinor?: bigint | null;
  separatePayoutMinor?: bigint | null;
  separateReturnMinor?: bigint | null;
  /** 0 to 336. */
  payoutCoolingHours?: number;
  joinPolicy?: JoinPolicy;
  joinDomains?: string[];
  supportEmail?: string | null;
  mailingAddress?: string | null;
  receivingBank?: CompanySettings['receivingBank'];
  cardPaymentPage?: string | null;
  schedule?: PayrollSchedule | null;
  demo?: CompanySettings['demo'];
}

/**
 * Changes company settings. Who changes the time zone also calls the ledger's `setTimeZone` in the
 * same transaction: settings stand below the ledger and cannot. The currency is not among them,
 * because it can change only while the ledger is empty. The audit row has the old and the new
 * value of each field, as JSON.
 */
export async function updateSettings(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  patch: SettingsPatch,
): Promise<CompanySettings> {
  await lockSettings(tx);
  const before = await readSettings(tx);
  const { schedule, timeZoneId, receivingBank, ...same } = patch;
  await tx
    .updateTable('companySettings')
    .set({
      ...same,
      ...(timeZoneId === undefined ? {} : { timeZone: timeZoneId }),
      ...(receivingBank === undefined
        ? {}
        : {
            receivingBankName: receivingBank?.name ?? null,
            receivingBankAddress: receivingBank?.address ?? null,
          }),
      ...(schedule === undefined
        ? {}
        : { payrollFrequency: schedule?.frequency ?? null, payrollDay: schedule?.day ?? null }),
      updatedAt: services.clock.now(),
    })
    .execute();
  const after = await readSettings(tx);
  const fields = Object.keys(patch) as (keyof SettingsPatch)[];
  recordAudit(tx, {
    by,
    action: 'settings.updated',
    subjectType: 'company_settings',
    subjectId: null,
    details: {
      fields,
      before: fields.map((field) => asJson(before[field])),
      after: fields.map((field) => asJson(after[field])),
    },
  });
  return after;
}

/** Who compares before changing holds the row from then on: of two at once, the second sees the first's. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.selectFrom('companySettings').select('id').forNoKeyUpdate().execute();
}

/** An amount in minor units is written as its digits. */
function asJson(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
