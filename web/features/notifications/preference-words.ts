import type { Role } from '#contract/identity.ts';
import {
  EMAIL_FREQUENCY_LABELS,
  EMAIL_SWITCH_LABELS,
  type EmailFrequency,
  type EmailSwitch,
} from '#contract/notifications.ts';

/** Label of a switch, and a description of the mail it controls. */
export interface SwitchWords {
  name: EmailSwitch;
  label: string;
  meaning: string;
}

const SECURITY: SwitchWords = {
  name: 'securityAlerts',
  label: EMAIL_SWITCH_LABELS.securityAlerts,
  meaning: 'When payouts are released. Sign-in changes are always sent.',
};

/** Switches of each area in order, one for each kind of mail sent there. */
export const SWITCHES: Readonly<Record<Role, readonly SwitchWords[]>> = {
  employee: [
    {
      name: 'depositAlerts',
      label: EMAIL_SWITCH_LABELS.depositAlerts,
      meaning: 'When a deposit is approved or rejected, and on payday.',
    },
    {
      name: 'withdrawalUpdates',
      label: EMAIL_SWITCH_LABELS.withdrawalUpdates,
      meaning: 'At every step, from request to arrival.',
    },
    {
      name: 'verificationAlerts',
      label: EMAIL_SWITCH_LABELS.verificationAlerts,
      meaning: 'When a bank account is verified or rejected.',
    },
    SECURITY,
    {
      name: 'infoNotifications',
      label: EMAIL_SWITCH_LABELS.infoNotifications,
      meaning: 'Payments you send and receive, and your bills.',
    },
    {
      name: 'profileUpdates',
      label: EMAIL_SWITCH_LABELS.profileUpdates,
      meaning: 'Changes to your department or position.',
    },
    {
      name: 'kycUpdates',
      label: EMAIL_SWITCH_LABELS.kycUpdates,
      meaning: 'Updates on your identity application and documents.',
    },
  ],
  admin: [
    SECURITY,
    {
      name: 'infoNotifications',
      label: EMAIL_SWITCH_LABELS.infoNotifications,
      meaning: 'When a payroll or funding you sent is paid or fails.',
    },
  ],
};

export const FREQUENCY_WORDS: Readonly<Record<EmailFrequency, { label: string; when: string }>> = {
  immediate: { label: EMAIL_FREQUENCY_LABELS.immediate, when: 'As it happens' },
  daily: { label: EMAIL_FREQUENCY_LABELS.daily, when: 'In the morning' },
  weekly: { label: EMAIL_FREQUENCY_LABELS.weekly, when: 'Monday morning' },
};
