import type { DepositMethodId } from '#contract/deposits.ts';
import type { SettingValues } from '#contract/settings.ts';

/** Which deposit methods the company offers; row, settings and values on the wire name them alike. */
export type OfferedMethods = Pick<
  SettingValues,
  | 'offersAch'
  | 'offersWire'
  | 'offersCard'
  | 'offersMobileCheck'
  | 'offersPhysicalCheck'
  | 'offersSecureTransfer'
>;

/** That part alone. */
export function offeredMethodsOf(whole: OfferedMethods): OfferedMethods {
  return {
    offersAch: whole.offersAch,
    offersWire: whole.offersWire,
    offersCard: whole.offersCard,
    offersMobileCheck: whole.offersMobileCheck,
    offersPhysicalCheck: whole.offersPhysicalCheck,
    offersSecureTransfer: whole.offersSecureTransfer,
  };
}

const SWITCHES = {
  ach: 'offersAch',
  wire: 'offersWire',
  card: 'offersCard',
  mobile_check: 'offersMobileCheck',
  physical_check: 'offersPhysicalCheck',
  secure_transfer: 'offersSecureTransfer',
} as const satisfies Record<DepositMethodId, keyof OfferedMethods>;

/** Whether the company has the method switched on. */
export function offersMethod(settings: OfferedMethods, method: DepositMethodId): boolean {
  return settings[SWITCHES[method]];
}
