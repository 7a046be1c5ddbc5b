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
