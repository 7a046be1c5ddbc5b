import type { Department } from '#contract/company.ts';

export const COMPANY_NAME = 'Tallis & Reed, Inc.';
export const EMPLOYEE_NUMBER_PREFIX = 'TR';
export const DEMO_PASSWORD = 'Demo-purser-2026';

/** Destinations of deposits. They are invented, and nobody owns `.example`. */
export const DEPOSIT_PLACES = {
  supportEmail: 'payroll@tallisreed.example',
  mailingAddress: '418 Mercer Street, Suite 900\nSeattle, WA 98109',
  receivingBank: {
    name: 'Northgate Commerce Bank, N.A.',
    address: '1201 Second Avenue, Seattle, WA 98101',
  },
  receivingAccount: { routingNumber: '084207311', accountNumber: '4400128865' },
  cardPaymentPage: 'https://pay.tallisreed.example/card',
} as const;

/** Accounts that can sign in, printed at the start. */
export const DEMO_SIGN_INS = [
  { email: 'admin@purser.test', name: 'Renee Albright', what: 'admin' },
  { email: 'maya@purser.test', name: 'Maya Castellanos', what: 'employee' },
  { email: 'sam@purser.test', name: 'Sam Okafor', what: 'employee, identity check in progress' },
] as const;

export const ADMINS = [
  { firstName: 'Renee', lastName: 'Albright', email: 'admin@purser.test', position: 'Controller' },
  {
    firstName: 'Joaquín',
    lastName: 'Mercer',
    email: 'joaquin.mercer@purser.test',
    position: 'Payroll Manager',
  },
] as const;

/** Paid to everybody in the department every two weeks, in cents; half a year later 3% more. */
export const SALARIES: Record<Department, bigint> = {
  engineering: 385_000n,
  finance: 312_000n,
  marketing: 268_000n,
  hr: 254_000n,
  sales: 246_500n,
  operations: 228_000n,
  general: 198_000n,
  'customer-support': 192_000n,
  'data-entry': 184_000n,
};

/** Banks of ours: the names are invented, the routing numbers' check digits are right. */
export const BANKS = [
  { name: 'Cascade Federal Credit Union', routingNumber: '062118406' },
  { name: 'Meridian Trust Bank', routingNumber: '071330929' },
  { name: 'Halden Community Bank', routingNumber: '053902171' },
  { name: 'Ballard Savings Bank', routingNumber: '325170644' },
] as const;
export type Bank = (typeof BANKS)[number];
