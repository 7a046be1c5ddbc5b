import type { AdminWithdrawal } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { withdrawalCan, type WithdrawalAction } from '#contract/withdrawals.ts';
import type { Decision } from '#web/kit/decision-dialog.tsx';

/** What an admin can decide about a withdrawal; who asked for it cancels it elsewhere. */
export type DecisionName = Exclude<WithdrawalAction, 'cancel'>;

/** What is said under the movement of money. */
interface WithConsequence {
  consequence: string;
}

export const DECISIONS: Record<DecisionName, Decision & WithConsequence> = {
  reject: {
    operation: 'adminRejectWithdrawal',
    label: 'Reject',
    kind: 'outline',
    title: 'Reject withdrawal',
    consequence: 'The amount returns to the employee’s available balance.',
    reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Request' },
    pending: 'Rejecting',
    done: 'Withdrawal Rejected',
  },
  approve: {
    operation: 'adminApproveWithdrawal',
    label: 'Approve',
    kind: 'money',
    title: 'Approve this withdrawal?',
    consequence: 'The amount stays held until it is paid out.',
    pending: 'Approving',
    done: 'Withdrawal Approved',
  },
  startProcessing: {
    operation: 'adminStartWithdrawal',
    label: 'Start processing',
    kind: 'money',
    title: 'Start processing this withdrawal?',
    consequence: 'It shows as on its way until you complete or stop it.',
    pending: 'Starting',
    done: 'Processing Started',
  },
  complete: {
    operation: 'adminCompleteWithdrawal',
    label: 'Complete',
    kind: 'money',
    title: 'Complete this withdrawal?',
    consequence: 'The held amount leaves the wallet and is booked as paid out.',
    pending: 'Completing',
    done: 'Withdrawal Completed',
  },
  stop: {
    operation: 'adminStopWithdrawal',
    label: 'Stop',
    kind: 'danger',
    title: 'Stop withdrawal',
    consequence:
      'Only if the payout has not left. The amount returns to the employee’s available balance.',
    reason: { emptyHint: 'Enter a reason to stop.', keep: 'Keep Request' },
    pending: 'Stopping',
    done: 'Withdrawal Stopped',
  },
  return: {
    operation: 'adminReturnWithdrawal',
    label: 'Returned by bank',
    kind: 'danger',
    title: 'Returned by bank',
    consequence: 'The payout is reversed and the amount is back in the employee’s wallet.',
    confirm: 'Book the return',
    reason: { emptyHint: 'Enter the bank’s reason.', keep: 'Keep Request' },
    pending: 'Booking',
    done: 'Withdrawal Returned',
  },
};

/** In a row, the step that takes the request on stands at the edge. */
export const ROW_DECISIONS = [
  'reject',
  'approve',
  'startProcessing',
  'complete',
] as const satisfies readonly DecisionName[];
export type RowDecision = (typeof ROW_DECISIONS)[number];

const ALL_DECISIONS: readonly DecisionName[] = ['return', 'stop', ...ROW_DECISIONS];

/** What can be decided now in the table's row. */
export function rowDecisions({ status }: AdminWithdrawal): RowDecision[] {
  return ROW_DECISIONS.filter((decision) => can(withdrawalCan, decision, status));
}

/** Everything that can be decided now, also calling a payout back. */
export function allDecisions({ status }: AdminWithdrawal): DecisionName[] {
  return ALL_DECISIONS.filter((decision) => can(withdrawalCan, decision, status));
}
