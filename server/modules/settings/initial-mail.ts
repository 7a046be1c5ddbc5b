import type { SettingValues } from '#contract/settings.ts';

/** What a new person is sent by mail; row, settings and values on the wire name it alike. */
export type InitialMail = Pick<
  SettingValues,
  | 'initialEmailEnabled'
  | 'initialEmailFrequency'
  | 'initialDepositAlerts'
  | 'initialWithdrawalUpdates'
  | 'initialVerificationAlerts'
  | 'initialSecurityAlerts'
  | 'initialInfoNotifications'
  | 'initialProfileUpdates'
  | 'initialKycUpdates'
>;

/** That part alone. */
export function initialMailOf(whole: InitialMail): InitialMail {
  return {
    initialEmailEnabled: whole.initialEmailEnabled,
    initialEmailFrequency: whole.initialEmailFrequency,
    initialDepositAlerts: whole.initialDepositAlerts,
    initialWithdrawalUpdates: whole.initialWithdrawalUpdates,
    initialVerificationAlerts: whole.initialVerificationAlerts,
    initialSecurityAlerts: whole.initialSecurityAlerts,
    initialInfoNotifications: whole.initialInfoNotifications,
    initialProfileUpdates: whole.initialProfileUpdates,
    initialKycUpdates: whole.initialKycUpdates,
  };
}
