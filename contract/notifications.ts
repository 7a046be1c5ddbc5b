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

/** How often a person is sent mail; `daily` and `weekly` gather it for the morning. */
export const EMAIL_FREQUENCIES = ['immediate', 'daily', 'weekly'] as const;
export type EmailFrequency = (typeof EMAIL_FREQUENCIES)[number];

/** What a person is sent by mail. */
export type EmailPreferences = Readonly<Record<EmailSwitch, boolean>> & {
  /** Off: nothing but what is always mailed. */
  readonly emailEnabled: boolean;
  readonly emailFrequency: EmailFrequency;
};
