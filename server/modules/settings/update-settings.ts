import type { TimeZoneId } from '#contract/company.ts';
import type { Currency } from '#contract/money.ts';
import type { JoinPolicy } from '#contract/people.ts';
import type { SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import type { CompanySettings } from './company-settings.ts';
import type { InitialMail } from './initial-mail.ts';
import type { OfferedMethods } from './offered-methods.ts';
import { readSettings } from './read-settings.ts';
import { changedNames, settingValues } from './setting-values.ts';

/** What can be changed; what is left out stays as it is. */
export interface SettingsPatch extends Partial<InitialMail & OfferedMethods> {
  companyName?: string;
  legalName?: string | null;
  /** Only while no account was opened: the database refuses it then. */
  currency?: Currency;
  timeZoneId?: TimeZoneId;
  employeeNumberPrefix?: string;
  requireApprovedIdentity?: boolean;
  /** 14 to 25. */
  kycMinAgeYears?: number;
  /** 1 to 36,500. */
  kycRetentionDays?: number;
  /** 5 to 1440. */
  adminIdleMinutes?: number;
  /** 5 to 1440. */
  employeeIdleMinutes?: number;
  requireAdminTwoFactor?: boolean;
  stopPayoutsWhenUnsound?: boolean;
  payoutsStoppedAt?: Date | null;
  /** 0 to 600. */
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
  receivingAccount?: CompanySettings['receivingAccount'];
  cardPaymentPage?: string | null;
  depositNote?: string | null;
  /** Null keeps the two days of payroll twice a month. */
  schedule?: PayrollSchedule | null;
  paydayMoves?: CompanySettings['paydayMoves'];
  demo?: CompanySettings['demo'];
}

/** What is changed by the server alone; its audit row names it as it is kept. */
const OWN = ['employeeNumberPrefix', 'payoutsStoppedAt', 'demo'] as const;

/**
 * Changes company settings. Who changes the time zone also calls the ledger's `setTimeZone` in the
 * same transaction: settings stand below the ledger and cannot. Amounts keep their
 * number when the currency changes. The audit row has the old and the new value of each
 * setting that changed, as JSON; where nothing changed there is none.
 */
export async function updateSettings(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  patch: SettingsPatch,
): Promise<CompanySettings> {
  await lockSettings(tx);
  const before = await readSettings(tx);
  const { schedule, timeZoneId, receivingBank, receivingAccount, ...same } = patch;
  const now = services.clock.now();
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
      ...(receivingAccount === undefined
        ? {}
        : {
            receivingRoutingNumber: receivingAccount?.routingNumber ?? null,
            receivingAccountNumber: receivingAccount?.accountNumber ?? null,
          }),
      ...(schedule === undefined
        ? {}
        : {
            payrollFrequency: schedule?.frequency ?? null,
            payrollDay: schedule?.day ?? null,
            payrollFirstPayday: schedule?.firstPayday ?? null,
            ...(schedule !== null && { payrollDays: schedule.days }),
          }),
      version: before.version + 1,
      updatedAt: now,
    })
    .execute();
  const after = await readSettings(tx);
  await recordChange(tx, by, { before, after, at: now });
  return after;
}

interface Change {
  before: CompanySettings;
  after: CompanySettings;
  at: Date;
}

/** Writes down who changed what: beside each setting that changed, and in the audit trail. */
async function recordChange(
  tx: Tx,
  by: AuditContext,
  { before, after, at }: Change,
): Promise<void> {
  const [old, fresh] = [settingValues(before), settingValues(after)];
  const names = changedNames(old, fresh);
  if (names.length > 0) {
    const changedBy = typeof by.actor === 'object' ? by.actor.id : null;
    await tx
      .insertInto('settingChange')
      .values(names.map((name) => ({ name, version: after.version, changedBy, changedAt: at })))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((excluded) => ({
          version: excluded.ref('excluded.version'),
          changedBy: excluded.ref('excluded.changedBy'),
          changedAt: excluded.ref('excluded.changedAt'),
        })),
      )
      .execute();
  }
  const own = OWN.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const fields = [...names, ...own];
  if (fields.length === 0) return;
  const valuesOf = (settings: CompanySettings, values: SettingValues) => [
    ...names.map((name) => JSON.stringify(values[name])),
    ...own.map((name) => JSON.stringify(settings[name])),
  ];
  recordAudit(tx, {
    by,
    action: 'settings.updated',
    subjectType: 'company_settings',
    subjectId: null,
    details: { fields, before: valuesOf(before, old), after: valuesOf(after, fresh) },
  });
}

/** Who compares before changing holds the row from then on: of two at once, the second sees the first's. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.selectFrom('companySettings').select('id').forNoKeyUpdate().execute();
}
