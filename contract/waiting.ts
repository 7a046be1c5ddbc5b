/** What waits for an admin's decision, in the order in which it is shown. */
export const WAITING_KINDS = [
  'securityRules',
  'payrolls',
  'fundings',
  'payoutsToApprove',
  'payoutsToSend',
  'payoutsToComplete',
  'bankAccounts',
  'deposits',
  'identities',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Counting stops here: there is no room for more, and a long queue must not slow the screen. */
export const MOST_WAITING = 1_000;
