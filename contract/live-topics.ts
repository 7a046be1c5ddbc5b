/** Topic of a live event: the browser fetches again what it shows of it. */
export const EVENT_TOPICS = [
  'wallets',
  'bank-accounts',
  'withdrawals',
  'deposits',
  'payments',
  'payroll',
  'kyc',
  'notifications',
  'sessions',
  'deliveries',
  'books',
  'company-bank',
  'closing',
  'people',
  'imports',
  'settings',
  'saved-views',
  'questions',
  'payouts',
] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];
