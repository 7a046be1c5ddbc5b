import { settingLabel } from '#contract/settings.ts';
import type { SettingName } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';

/**
 * Refuses a change of settings that were changed by somebody since they were read.
 *
 * @throws {AppError} `settings_changed`, with the setting and the admin who changed it
 */
export async function checkUnchanged(
  tx: Tx,
  { names, version }: { names: readonly SettingName[]; version: number },
): Promise<void> {
  if (names.length === 0) return;
  const changes = await tx
    .selectFrom('settingChange')
    .leftJoin('appUser', 'appUser.id', 'settingChange.changedBy')
    .select(['settingChange.name', 'appUser.name as by'])
    .where('settingChange.name', 'in', names)
    .where('version', '>', version)
    .orderBy('version', 'desc')
    .execute();
  const [last] = changes;
  if (last === undefined) return;
  const { currency } = await readSettings(tx);
  const labels = names.filter((name) => changes.some((change) => change.name === name));
  throw new AppError('settings_changed', {
    who: last.by ?? 'Purser',
    what: labels.map((name) => settingLabel(name, currency)).join(', '),
  });
}
