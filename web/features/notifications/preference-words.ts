import type { Role } from '#contract/identity.ts';
import type { EmailFrequency, EmailSwitch } from '#contract/notifications.ts';

/** What a switch is called, and what is mailed while it is on. */
export interface SwitchWords {
  name: EmailSwitch;
  label: string;
  meaning: string;
}

const SECURITY: SwitchWords = {
  name: 'securityAlerts',
  label: 'Security alerts',
  meaning: 'Payouts released. Changes to your sign-in are always sent.',
};

/** The switches of each area, in their order: those that something is mailed by there. */
export const SWITCHES: Readonly<Record<Role, readonly SwitchWords[]>> = {
  employee: [
    {
      name: 'depositAlerts',
      label: 'Deposit alerts',
      meaning: 'Approved or rejected. Paydays too.',
    },
    {
      name: 'withdrawalUpdates',
      label: 'Withdrawal updates',
      meaning: 'Every step, from requested to arrived.',
    },
    {
      name: 'verificationAlerts',
      label: 'Verification alerts',
      meaning: 'Bank accounts verified or rejected.',
    },
    SECURITY,
    {
      name: 'infoNotifications',
      label: 'Info notifications',
      meaning: 'Payments you send and receive, and your bills.',
    },
    {
      name: 'profileUpdates',
      label: 'Profile updates',
      meaning: 'Your place in the company.',
    },
    {
      name: 'kycUpdates',
      label: 'KYC updates',
      meaning: 'Your identity application and documents.',
    },
  ],
  admin: [
    SECURITY,
    {
      name: 'infoNotifications',
      label: 'Info notifications',
      meaning: 'Payrolls and fundings that you sent, paid or failed.',
    },
  ],
};

export const FREQUENCY_WORDS: Readonly<Record<EmailFrequency, { label: string; when: string }>> = {
  immediate: { label: 'Immediate', when: 'As it happens' },
  daily: { label: 'Daily digest', when: 'In the morning' },
  weekly: { label: 'Weekly summary', when: 'Monday morning' },
};
