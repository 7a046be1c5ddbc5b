import type { DepositMethodId } from '#contract/deposits.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';

const SWITCHES = {
  ach: 'offersAch',
  wire: 'offersWire',
  card: 'offersCard',
  mobile_check: 'offersMobileCheck',
  physical_check: 'offersPhysicalCheck',
  secure_transfer: 'offersSecureTransfer',
} as const satisfies Record<DepositMethodId, SettingName>;

/** True if the company has the method switched on. */
export function offersMethod(
  settings: Pick<SettingValues, (typeof SWITCHES)[DepositMethodId]>,
  method: DepositMethodId,
): boolean {
  return settings[SWITCHES[method]];
}
