/** Kinds of items that wait for an admin's decision, in display order. */
export const WAITING_KINDS = [
  'securityRules',
  'payrolls',
  'fundings',
  'usualPay',
  'usualPayFiles',
  'payoutsToApprove',
  'payoutsToSend',
  'payoutsToComplete',
  'billsToSend',
  'billsToComplete',
  'bankAccounts',
  'deposits',
  'identities',
  'applicants',
  'questions',
  'payoutsFrozen',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Counting stops here: there is no room for more, and a long queue must not slow the screen. */
export const MOST_WAITING = 1_000;

/** Risks that an admin should fix before they cost money, most urgent first. */
export const RISK_KINDS = [
  'booksUnsound',
  'unsealedTail',
  'backupsFailing',
  'restoreNotTried',
  'failedDeliveries',
  'depositsNotAtBank',
  'oneAdmin',
  'dutiesTogether',
  'dutiesNotInForce',
  'adminsWithoutTwoFactor',
] as const;
export type RiskKind = (typeof RISK_KINDS)[number];
