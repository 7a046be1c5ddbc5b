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
