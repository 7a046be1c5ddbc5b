/** What a notification is about, as its badge says. */
export const NOTIFICATION_TYPES = [
  'deposit',
  'withdrawal',
  'verification',
  'payroll',
  'info',
  'profile',
  'security',
  'system',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** What a person may switch off in their mail; the names are those of the Email Preferences. */
export const EMAIL_SWITCHES = [
  'depositAlerts',
  'withdrawalUpdates',
  'verificationAlerts',
  'securityAlerts',
  'infoNotifications',
  'profileUpdates',
  'kycUpdates',
] as const;
export type EmailSwitch = (typeof EMAIL_SWITCHES)[number];

/** What each switch is called. */
export const EMAIL_SWITCH_LABELS = {
  depositAlerts: 'Deposit alerts',
  withdrawalUpdates: 'Withdrawal updates',
  verificationAlerts: 'Verification alerts',
  securityAlerts: 'Security alerts',
  infoNotifications: 'Info notifications',
  profileUpdates: 'Profile updates',
  kycUpdates: 'KYC updates',
} as const satisfies Record<EmailSwitch, string>;

/** How often a person is sent mail; `daily` and `weekly` gather it for the morning. */
export const EMAIL_FREQUENCIES = ['immediate', 'daily', 'weekly'] as const;
export type EmailFrequency = (typeof EMAIL_FREQUENCIES)[number];
export const EMAIL_FREQUENCY_LABELS = {
  immediate: 'Immediate',
  daily: 'Daily digest',
  weekly: 'Weekly summary',
} as const satisfies Record<EmailFrequency, string>;

/** What a person is sent by mail. */
export type EmailPreferences = Readonly<Record<EmailSwitch, boolean>> & {
  /** Off: nothing but what is always mailed. */
  readonly emailEnabled: boolean;
  readonly emailFrequency: EmailFrequency;
};
