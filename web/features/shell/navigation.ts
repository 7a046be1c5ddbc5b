import type { RouteReply } from '#contract/api.ts';

type Shell = RouteReply<'getShell'>;

export interface NavigationLink {
  to: string;
  label: string;
  /** How many things wait there; nothing is drawn for zero. */
  waiting?: (shell: Shell) => number;
}

export interface NavigationGroup {
  label: string | null;
  links: readonly NavigationLink[];
}

/** Only what works is listed; a screen joins when it is finished. */
export const EMPLOYEE_NAVIGATION: readonly NavigationGroup[] = [
  {
    label: null,
    links: [
      { to: '/employee/dashboard', label: 'Dashboard' },
      { to: '/employee/withdraw', label: 'Withdraw' },
      { to: '/employee/bank-details', label: 'Bank Details' },
      { to: '/employee/kyc-status', label: 'KYC Status' },
      { to: '/employee/profile', label: 'Profile' },
    ],
  },
];

export const ADMIN_NAVIGATION: readonly NavigationGroup[] = [
  { label: null, links: [{ to: '/admin/dashboard', label: 'Dashboard' }] },
  {
    label: 'People',
    links: [
      {
        to: '/admin/kyc-review',
        label: 'KYC Review',
        waiting: (shell) => shell.waiting?.kyc ?? 0,
      },
      {
        to: '/admin/bank-accounts',
        label: 'Bank Accounts',
        waiting: (shell) => shell.waiting?.bankAccounts ?? 0,
      },
    ],
  },
  {
    label: 'Money',
    links: [
      { to: '/admin/payroll', label: 'Payroll' },
      {
        to: '/admin/withdrawals',
        label: 'Withdrawals',
        waiting: (shell) => shell.waiting?.withdrawals ?? 0,
      },
    ],
  },
];
