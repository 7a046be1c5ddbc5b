import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import type { CompanySettings, SettingsPatch } from './company-settings.ts';
import { readSettings } from './read-settings.ts';
import { changedNames, settingValues } from './setting-values.ts';

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
            receivingRoutingNumber: receivingAccount?.routingNumber || null,
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
  recordAudit(tx, {
    by,
    action: 'settings.updated',
    subjectType: 'company_settings',
    subjectId: null,
    details: { fields, before: writtenValues(before, fields), after: writtenValues(after, fields) },
  });
}

function writtenValues(
  settings: CompanySettings,
  fields: readonly (SettingName | (typeof OWN)[number])[],
): string[] {
  const values = { ...settings, ...settingValues(settings) };
  return fields.map((name) => JSON.stringify(values[name]));
}

/** SQL of the newest recorded value of each setting that has one: `name`, and `value` as JSON. */
export const newestSettings: RawBuilder<{ name: string; value: string }> = sql`
  SELECT DISTINCT ON (field.name) field.name,
         event.details -> 'after' ->> (field.place - 1)::integer AS value
    FROM audit_event AS event
   CROSS JOIN LATERAL jsonb_array_elements_text(event.details -> 'fields')
              WITH ORDINALITY AS field (name, place)
   WHERE event.subject_type = 'company_settings' AND event.subject_id IS NULL
     AND event.action IN ('settings.updated', 'settings.recorded')
   ORDER BY field.name, event.id DESC`;

/**
 * Records the settings that no record states yet, as those that nobody has changed: from then on a value that no
 * record states was put there by somebody else.
 */
export async function recordSettings(tx: Tx): Promise<void> {
  await lockSettings(tx);
  const { rows } = await newestSettings.execute(tx);
  const known = new Set(rows.map(({ name }) => name));
  const fields = [...SETTING_NAMES, ...OWN].filter((name) => !known.has(name));
  if (fields.length === 0) return;
  recordAudit(tx, {
    by: { actor: 'system' },
    action: 'settings.recorded',
    subjectType: 'company_settings',
    subjectId: null,
    details: { fields, after: writtenValues(await readSettings(tx), fields) },
  });
}

/** Locks the row before comparing: of two concurrent changes, the second sees the first. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.selectFrom('companySettings').select('id').forNoKeyUpdate().execute();
}
