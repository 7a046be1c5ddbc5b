/** Types of notifications, shown as badges. */
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

/** Kinds of mail that a person can switch off, named as in Email Preferences. */
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

/** Label of each switch. */
export const EMAIL_SWITCH_LABELS = {
  depositAlerts: 'Deposit alerts',
  withdrawalUpdates: 'Withdrawal updates',
  verificationAlerts: 'Verification alerts',
  securityAlerts: 'Security alerts',
  infoNotifications: 'Info notifications',
  profileUpdates: 'Profile updates',
  kycUpdates: 'KYC updates',
} as const satisfies Record<EmailSwitch, string>;

/** Frequencies of mail. `daily` and `weekly` collect it and send it in the morning. */
export const EMAIL_FREQUENCIES = ['immediate', 'daily', 'weekly'] as const;
export type EmailFrequency = (typeof EMAIL_FREQUENCIES)[number];
export const EMAIL_FREQUENCY_LABELS = {
  immediate: 'Immediate',
  daily: 'Daily digest',
  weekly: 'Weekly summary',
} as const satisfies Record<EmailFrequency, string>;

/** Mail preferences of a person. */
export type EmailPreferences = Readonly<Record<EmailSwitch, boolean>> & {
  /** Off: nothing but what is always mailed. */
  readonly emailEnabled: boolean;
  readonly emailFrequency: EmailFrequency;
};
