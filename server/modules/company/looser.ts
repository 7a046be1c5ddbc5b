import { DUTY_SETTING_NAMES } from '#contract/duties.ts';
import { SETTINGS } from '#contract/settings.ts';
import type { Setting } from '#contract/setting-kinds.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Money } from '#contract/money.ts';

/** True if a duty now takes two people and did not before. */
export function separatesMore(before: SettingValues, after: SettingValues): boolean {
  return Object.values(DUTY_SETTING_NAMES).some(
    (name) => before[name] === null && after[name] !== null,
  );
}

/** True if the new value lets one person alone do something with money that the old one did not. */
export function isLooser(name: SettingName, before: SettingValues, after: SettingValues): boolean {
  const { loosens }: Setting = SETTINGS[name];
  if (loosens === undefined) return false;
  if (loosens === 'any') return before[name] !== after[name] && after[name] !== '';
  const [old, fresh] = [sizeOf(before[name]), sizeOf(after[name])];
  return loosens === 'more' ? fresh > old : fresh < old;
}

/** Null means that a threshold never applies, so it counts as the largest amount. */
function sizeOf(value: SettingValues[SettingName]): number | bigint {
  if (value === null) return Number.POSITIVE_INFINITY;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value;
  return isMoney(value) ? BigInt(value.minor) : 0;
}

function isMoney(value: SettingValues[SettingName]): value is Money {
  return typeof value === 'object' && value !== null && 'minor' in value;
}
