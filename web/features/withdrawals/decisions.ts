import type { AdminWithdrawal } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { withdrawal as thing } from '#contract/things/withdrawal.ts';
import { WITHDRAWAL_TO_PAY, withdrawalCan } from '#contract/withdrawals.ts';
import { decisionsOf } from '#web/kit/decision-dialog.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';

/** Decisions of an admin about a withdrawal. */
export const DECISIONS = decisionsOf(thing);
export type DecisionName = keyof typeof DECISIONS;

/** In a row, the step that takes the request on stands at the edge. */
export const ROW_DECISIONS = [
  'reject',
  'approve',
  'startProcessing',
  'complete',
] as const satisfies readonly DecisionName[];
export type RowDecision = (typeof ROW_DECISIONS)[number];

const ALL_DECISIONS: readonly DecisionName[] = ['return', 'stop', ...ROW_DECISIONS];

function maySend(withdrawal: AdminWithdrawal): boolean {
  return withdrawal.isBankVerified && stillCoolingOff(withdrawal) === null;
}

/** Decisions that the server would take now in the table's row: nothing is sent while it cools off. */
export function rowDecisions(withdrawal: AdminWithdrawal): RowDecision[] {
  return ROW_DECISIONS.filter(
    (decision) =>
      can(withdrawalCan, decision, withdrawal.status) &&
      (decision !== 'startProcessing' || maySend(withdrawal)),
  );
}

/** True if an admin who pays it out is shown the whole account number. */
export function isToPay({ status }: AdminWithdrawal): boolean {
  return WITHDRAWAL_TO_PAY.some((one) => one === status);
}

/** Everything that can be decided now, also calling a payout back. */
export function allDecisions({ status }: AdminWithdrawal): DecisionName[] {
  return ALL_DECISIONS.filter((decision) => can(withdrawalCan, decision, status));
}
