import { NAME_MAX_LENGTH } from './limits.ts';
import { bankAccountRules } from './bank-accounts.ts';
import { line } from './rules.ts';
import type { BILL_STATUSES } from './statuses.ts';

export type BillStatus = (typeof BILL_STATUSES)[number];

export type BillAction = 'change' | 'cancel' | 'take' | 'send' | 'complete' | 'stop' | 'return';

/**
 * In which status each action is legal. `take` is the server's, on the bill's day; from then on its
 * owner can neither change nor cancel it. `stop` calls back what has not left; `return` books a payout
 * that the bank sent back.
 */
export const billCan = {
  change: ['scheduled'],
  cancel: ['scheduled'],
  take: ['scheduled'],
  send: ['due'],
  complete: ['sent'],
  stop: ['due', 'sent'],
  return: ['paid'],
} as const satisfies Record<BillAction, readonly BillStatus[]>;

/** What a payee outside is, as the order to the bank says. */
export const PAYEE_KINDS = ['business', 'person'] as const;
export type PayeeKind = (typeof PAYEE_KINDS)[number];

export const PAYEE_KIND_LABELS = {
  business: 'A business',
  person: 'A person',
} as const satisfies Record<PayeeKind, string>;

/**
 * What one bill may be at most, and all of a person's bills that are paid on one day, in minor units
 * (docs/rules.md, "Bills").
 */
export const BILL_LIMITS = { mostMinor: 2_500_000n, dailyMinor: 5_000_000n } as const;

/** So many days ahead a bill may be scheduled. */
export const BILL_DAYS_AHEAD = 365;

/** What a payee and a bill have to say. */
export const billRules = {
  name: line(NAME_MAX_LENGTH, 'Enter the name of the payee'),
  routingNumber: bankAccountRules.routingNumber,
  accountNumber: bankAccountRules.accountNumber,
  /** What the payee knows the person by; may be empty. */
  customerNumber: line(40),
  /** The person's words to the payee; may be empty. */
  memo: line(80),
};
