import type { SetupStep } from '#contract/company-setup.ts';

/** Name of each step, the reason for it, and the place of its settings later. */
export const SETUP_WORDS: Readonly<
  Record<SetupStep, { label: string; why: string; later: string }>
> = {
  company: {
    label: 'Company',
    why: 'The company that pays. Its name is on every screen, mail and document.',
    later: '/admin/settings',
  },
  time: {
    label: 'Currency and time zone',
    why: 'The currency stays once the first account is opened, so choose it now.',
    later: '/admin/settings',
  },
  payday: {
    label: 'Payday',
    why: 'When payroll is due. The dashboard shows the next payday.',
    later: '/admin/settings?tab=payroll',
  },
  bank: {
    label: 'Receiving bank',
    why: 'The account that employees send deposits to. Until you enter it, transfers to it are not offered.',
    later: '/admin/settings',
  },
  joining: {
    label: 'Who may join',
    why: 'Choose who can sign up on their own. You can always add people yourself.',
    later: '/admin/settings',
  },
  twoFactor: {
    label: 'Two-factor',
    why: 'A password alone should not move a company’s money.',
    later: '/admin/settings?tab=security',
  },
  secondAdmin: {
    label: 'Second administrator',
    why: 'A second administrator can take over for you. Approvals by two people need one.',
    later: '/admin/settings?tab=security',
  },
};
