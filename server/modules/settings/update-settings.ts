import type { SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import type { CompanySettings } from './company-settings.ts';
import { readSettings } from './read-settings.ts';
import { changedNames, settingValues } from './setting-values.ts';

/** Changes; what is left out stays as it is. A schedule of null keeps the two days of payroll twice a month. */
export type SettingsPatch = Partial<Omit<CompanySettings, 'version' | 'timeZone'>>;

/** Settings that the server alone changes; their audit rows name them as they are kept. */
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

/** Records who changed what: with each setting that changed, and in the audit trail. */
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

/** Locks the row before comparing: of two concurrent changes, the second sees the first. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.selectFrom('companySettings').select('id').forNoKeyUpdate().execute();
}
