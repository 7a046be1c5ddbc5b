import type { AdminWithdrawal } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { withdrawalCan, type WithdrawalAction } from '#contract/withdrawals.ts';
import type { ButtonKind } from '#web/ui/button.tsx';

/** What an admin can decide about a withdrawal; who asked for it cancels it elsewhere. */
export type Decision = Exclude<WithdrawalAction, 'cancel'>;

/** Decisions that take a reason, which the employee reads. */
export type ReasonedDecision = Extract<Decision, 'reject' | 'stop' | 'return'>;
export type PlainDecision = Exclude<Decision, ReasonedDecision>;

export const REASONED_ROUTES = {
  reject: 'adminRejectWithdrawal',
  stop: 'adminStopWithdrawal',
  return: 'adminReturnWithdrawal',
} as const satisfies Record<ReasonedDecision, string>;

export const PLAIN_ROUTES = {
  approve: 'adminApproveWithdrawal',
  startProcessing: 'adminStartWithdrawal',
  complete: 'adminCompleteWithdrawal',
} as const satisfies Record<PlainDecision, string>;

interface DecisionWords {
  /** On its button. */
  label: string;
  kind: ButtonKind;
  /** The title of the message once it is done. */
  done: string;
}

export const DECISIONS: Record<Decision, DecisionWords> = {
  reject: { label: 'Reject', kind: 'outline', done: 'Withdrawal Rejected' },
  approve: { label: 'Approve', kind: 'money', done: 'Withdrawal Approved' },
  startProcessing: { label: 'Start processing', kind: 'money', done: 'Processing Started' },
  complete: { label: 'Complete', kind: 'money', done: 'Withdrawal Completed' },
  stop: { label: 'Stop', kind: 'danger', done: 'Withdrawal Stopped' },
  return: { label: 'Returned by bank', kind: 'danger', done: 'Withdrawal Returned' },
};

/** In a row, the step that takes the request on stands at the edge. */
const ROW_DECISIONS: readonly Decision[] = ['reject', 'approve', 'startProcessing', 'complete'];
const ALL_DECISIONS: readonly Decision[] = ['return', 'stop', ...ROW_DECISIONS];

export function isReasoned(decision: Decision): decision is ReasonedDecision {
  return decision in REASONED_ROUTES;
}

/** What can be decided now in the table's row. */
export function rowDecisions({ status }: AdminWithdrawal): Decision[] {
  return ROW_DECISIONS.filter((decision) => can(withdrawalCan, decision, status));
}

/** Everything that can be decided now, also calling a payout back. */
export function allDecisions({ status }: AdminWithdrawal): Decision[] {
  return ALL_DECISIONS.filter((decision) => can(withdrawalCan, decision, status));
}
