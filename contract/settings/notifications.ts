import { EMAIL_FREQUENCY_LABELS, EMAIL_SWITCH_LABELS } from '../notifications.ts';
import type { EmailSwitch } from '../notifications.ts';
import type { Setting } from '../setting-kinds.ts';

/** A switch of the Email Preferences as a setting. */
function initialSwitch(name: EmailSwitch, hint: string) {
  const label = EMAIL_SWITCH_LABELS[name];
  return { section: 'initialMail', kind: 'flag', says: 'On', label, hint } as const;
}

/** Settings of the tab Notifications: preferences that new people start with. */
export const NOTIFICATION_SETTINGS = {
  initialEmailEnabled: {
    section: 'initialMail',
    kind: 'flag',
    says: 'On',
    label: 'Email notifications',
    hint: 'Each person can change these later.',
  },
  initialEmailFrequency: {
    section: 'initialMail',
    kind: 'choice',
    options: EMAIL_FREQUENCY_LABELS,
    label: 'How often',
  },
  initialDepositAlerts: initialSwitch(
    'depositAlerts',
    'When a deposit is approved or rejected, and on payday.',
  ),
  initialWithdrawalUpdates: initialSwitch(
    'withdrawalUpdates',
    'At every step, from request to arrival.',
  ),
  initialVerificationAlerts: initialSwitch(
    'verificationAlerts',
    'When a bank account is verified or rejected.',
  ),
  initialSecurityAlerts: initialSwitch(
    'securityAlerts',
    'When payouts are released. Sign-in changes are always sent.',
  ),
  initialInfoNotifications: initialSwitch(
    'infoNotifications',
    'Payments they send and receive, and their bills.',
  ),
  initialProfileUpdates: initialSwitch(
    'profileUpdates',
    'Changes to their department or position.',
  ),
  initialKycUpdates: initialSwitch(
    'kycUpdates',
    'Updates on their identity application and documents.',
  ),
} as const satisfies Record<string, Setting>;
