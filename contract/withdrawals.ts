import { REASON_MAX_LENGTH } from './limits.ts';
import { paragraph } from './rules.ts';
import type { WITHDRAWAL_STATUSES, URGENCIES } from './statuses.ts';
import { legalIn, type DecidedAct } from './things/thing.ts';
import { withdrawal } from './things/withdrawal.ts';

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Statuses in which each act is legal. */
export const withdrawalCan = legalIn(withdrawal);
export type WithdrawalAction = DecidedAct<typeof withdrawal>;

/** Statuses in which an admin who pays it out is shown the whole account number. */
export const WITHDRAWAL_TO_PAY = [
  'pending',
  'approved',
  'processing',
] as const satisfies readonly WithdrawalStatus[];

/** Progress of a request in percent (docs/rules.md, "Progress"). */
export const WITHDRAWAL_PROGRESS: Record<WithdrawalStatus, number> = {
  pending: 25,
  approved: 50,
  processing: 75,
  completed: 100,
  rejected: 0,
  cancelled: 0,
  returned: 0,
};

/** Purpose of a withdrawal, in the employee's words. It may be empty. */
export const withdrawalReasonRule = paragraph(REASON_MAX_LENGTH);

export type Urgency = (typeof URGENCIES)[number];

/** Banking days until the money is expected, counted from the day of the request, by urgency (docs/rules.md, "Urgency"). */
export const URGENCY_DAYS: Record<Urgency, { min: number; max: number; label: string }> = {
  low: { min: 3, max: 5, label: '3\u20135 days' },
  medium: { min: 2, max: 3, label: '2\u20133 days' },
  high: { min: 1, max: 2, label: '1\u20132 days' },
};

export const DEFAULT_URGENCY: Urgency = 'medium';
export const DEFAULT_WITHDRAWAL_REASON = 'Withdrawal request';

/** Words and urgency of a withdrawal that an admin requests for a person who left. */
export const LEAVER_PAYOUT_REASON = 'Balance paid out after leaving';
export const LEAVER_PAYOUT_URGENCY: Urgency = 'medium';
