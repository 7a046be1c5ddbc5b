import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { SettingsSection } from '#contract/setting-kinds.ts';
import { SETTINGS_SECTIONS } from '#contract/setting-kinds.ts';
import { SETTINGS, settingLabel, topicsOfSettings } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import { publishTopics } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { updateBooksRules } from '#server/modules/books/index.ts';
import { AppError } from '#server/lib/errors.ts';
import { closedUntil, setTimeZone } from '#server/modules/ledger/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { noteDuties } from '#server/modules/security/index.ts';
import {
  patchOfValues,
  readSettings,
  settingValues,
  updateSettings,
} from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Writes settings and applies their consequences: the ledger's months begin in the new time zone,
 * payouts stop or resume, and every admin is notified of changed security rules. The caller has
 * locked the settings row.
 */
export async function applyValues(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { stopPayoutsWhenUnsound, ...values }: Partial<SettingValues>,
): Promise<void> {
  const names = Object.keys(values) as SettingName[];
  if (names.length > 0) {
    const whole = { ...settingValues(await readSettings(tx)), ...values };
    const after = await updateSettings(tx, services, by, patchOfValues(whole));
    if (values.timeZone !== undefined) await changeTimeZone(tx, after.timeZone);
    await noteDuties(tx, services);
  }
  if (stopPayoutsWhenUnsound !== undefined) {
    await updateBooksRules(tx, services, by, { stopPayoutsWhenUnsound });
    names.push('stopPayoutsWhenUnsound');
  }
  await announceChange(tx, services, by, names);
}

/** @throws {AppError} `time_zone_of_closed_months` */
async function changeTimeZone(tx: Tx, timeZone: string): Promise<void> {
  if ((await closedUntil(tx)) !== null) throw new AppError('time_zone_of_closed_months');
  await setTimeZone(tx, timeZone);
}

/** Sections of settings that decide who joins, when, and what notifications people get of their money. */
const TOLD_SECTIONS: readonly SettingsSection[] = ['joining', 'time', 'initialMail'];

/**
 * True if the security of money and people depends on a setting, so that every admin is notified.
 */
function isOfSecurity(name: SettingName): boolean {
  const { section } = SETTINGS[name];
  const { tab } = SETTINGS_SECTIONS[section];
  return tab === 'security' || 'loosens' in SETTINGS[name] || TOLD_SECTIONS.includes(section);
}

async function announceChange(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  names: readonly SettingName[],
): Promise<void> {
  const { currency } = await readSettings(tx);
  const labels = names.filter(isOfSecurity).map((name) => settingLabel(name, currency));
  if (labels.length > 0) {
    notifyAdmins(tx, {
      kind: 'security-rules-changed',
      message: `${by.actor.name} changed the company's security rules: ${labels.join(', ')}.`,
      at: clock.now(),
    });
  }
  publishTopics(tx, { admins: ['settings', ...topicsOfSettings(names)] }, null);
}
