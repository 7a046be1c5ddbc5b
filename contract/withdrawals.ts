import { addBusinessDays } from './calendar.ts';
import type { WITHDRAWAL_STATUSES, URGENCIES } from './statuses.ts';

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export type WithdrawalAction =
  | 'cancel'
  | 'approve'
  | 'reject'
  | 'startProcessing'
  | 'complete'
  | 'stop'
  | 'return';

/**
 * In which status each action is legal. `stop` calls back a payout that has not left (the hold is
 * released); `return` books a payout that the bank sent back (the entry is reversed).
 */
export const withdrawalCan = {
  cancel: ['pending'],
  approve: ['pending'],
  reject: ['pending'],
  startProcessing: ['approved'],
  complete: ['processing'],
  stop: ['approved', 'processing'],
  return: ['completed'],
} as const satisfies Record<WithdrawalAction, readonly WithdrawalStatus[]>;

/** What the request has done of its way, in percent (docs/rules.md, "Progress"). */
export const WITHDRAWAL_PROGRESS: Record<WithdrawalStatus, number> = {
  pending: 25,
  approved: 50,
  processing: 75,
  completed: 100,
  rejected: 0,
  cancelled: 0,
  returned: 0,
};

export type Urgency = (typeof URGENCIES)[number];

/** Business days until the money is expected, by urgency (docs/rules.md, "Urgency"). */
export const URGENCY_DAYS: Record<Urgency, { min: number; max: number; label: string }> = {
  low: { min: 3, max: 5, label: '3\u20135 days' },
  medium: { min: 2, max: 3, label: '2\u20133 days' },
  high: { min: 1, max: 2, label: '1\u20132 days' },
};

/** Between which business days the money should arrive, counted from the day of the request. */
export function expectedArrival(
  urgency: Urgency,
  requestDay: string,
): { from: string; to: string } {
  const { min, max } = URGENCY_DAYS[urgency];
  return { from: addBusinessDays(requestDay, min), to: addBusinessDays(requestDay, max) };
}

export const DEFAULT_URGENCY: Urgency = 'medium';
export const DEFAULT_WITHDRAWAL_REASON = 'Withdrawal request';
