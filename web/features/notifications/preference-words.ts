import type { Role } from '#contract/identity.ts';
import {
  EMAIL_FREQUENCY_LABELS,
  EMAIL_SWITCH_LABELS,
  type EmailFrequency,
  type EmailSwitch,
} from '#contract/notifications.ts';

/** What a switch is called, and what is mailed while it is on. */
export interface SwitchWords {
  name: EmailSwitch;
  label: string;
  meaning: string;
}

const SECURITY: SwitchWords = {
  name: 'securityAlerts',
  label: EMAIL_SWITCH_LABELS.securityAlerts,
  meaning: 'Payouts released. Changes to your sign-in are always sent.',
};

/** The switches of each area, in their order: those that something is mailed by there. */
export const SWITCHES: Readonly<Record<Role, readonly SwitchWords[]>> = {
  employee: [
    {
      name: 'depositAlerts',
      label: EMAIL_SWITCH_LABELS.depositAlerts,
      meaning: 'Approved or rejected. Paydays too.',
    },
    {
      name: 'withdrawalUpdates',
      label: EMAIL_SWITCH_LABELS.withdrawalUpdates,
      meaning: 'Every step, from requested to arrived.',
    },
    {
      name: 'verificationAlerts',
      label: EMAIL_SWITCH_LABELS.verificationAlerts,
      meaning: 'Bank accounts verified or rejected.',
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
      meaning: 'Your place in the company.',
    },
    {
      name: 'kycUpdates',
      label: EMAIL_SWITCH_LABELS.kycUpdates,
      meaning: 'Your identity application and documents.',
    },
  ],
  admin: [
    SECURITY,
    {
      name: 'infoNotifications',
      label: EMAIL_SWITCH_LABELS.infoNotifications,
      meaning: 'Payrolls and fundings that you sent, paid or failed.',
    },
  ],
};

export const FREQUENCY_WORDS: Readonly<Record<EmailFrequency, { label: string; when: string }>> = {
  immediate: { label: EMAIL_FREQUENCY_LABELS.immediate, when: 'As it happens' },
  daily: { label: EMAIL_FREQUENCY_LABELS.daily, when: 'In the morning' },
  weekly: { label: EMAIL_FREQUENCY_LABELS.weekly, when: 'Monday morning' },
};
