import type { SetupStep } from '#contract/company-setup.ts';

/** What each step is called, why it is asked, and where all of it is set later. */
export const SETUP_WORDS: Readonly<
  Record<SetupStep, { label: string; why: string; later: string }>
> = {
  company: {
    label: 'Company',
    why: 'Who pays: on every screen, mail and paper.',
    later: '/admin/settings',
  },
  time: {
    label: 'Currency and time zone',
    why: 'The currency stays once the first account is opened, so choose it now.',
    later: '/admin/settings',
  },
  payday: {
    label: 'Payday',
    why: 'When payroll is due. The dashboard shows the next one.',
    later: '/admin/settings?tab=payroll',
  },
  joining: {
    label: 'Who may join',
    why: 'Who can sign up by themselves. You can always add people yourself.',
    later: '/admin/settings',
  },
  twoFactor: {
    label: 'Two-factor',
    why: 'A password alone should not move a company’s money.',
    later: '/admin/settings?tab=security',
  },
  secondAdmin: {
    label: 'Second administrator',
    why: 'Someone who can take over, and without whom nothing can take two persons.',
    later: '/admin/settings?tab=security',
  },
};
