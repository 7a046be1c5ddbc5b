import type { AdminBill } from '#contract/api.ts';
import { BILL_TO_PAY, billCan } from '#contract/bills.ts';
import { can } from '#contract/can.ts';
import { formatMoney } from '#contract/money.ts';
import { bill as thing } from '#contract/things/bill.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Money } from '#web/ui/money.tsx';

/** What an admin can decide about a bill. */
export const BILL_DECISIONS = decisionsOf(thing);
export type BillDecisionName = keyof typeof BILL_DECISIONS;

export const ROW_DECISIONS = ['stop', 'send', 'complete'] as const;
const ALL_DECISIONS: readonly BillDecisionName[] = ['return', ...ROW_DECISIONS];

function maySend(bill: AdminBill): boolean {
  return bill.payee.returned === null && stillCoolingOff(bill) === null;
}

/**
 * Decisions that the server would take now in the table's row: nothing is sent while it cools off, or
 * until its payee is confirmed after a returned bill. In the details, its return and what waits as well.
 */
export function billDecisions(bill: AdminBill, { isRow }: { isRow: boolean }): BillDecisionName[] {
  const offered: readonly BillDecisionName[] = isRow ? ROW_DECISIONS : ALL_DECISIONS;
  return offered.filter(
    (decision) =>
      can(billCan, decision, bill.status) && (!isRow || decision !== 'send' || maySend(bill)),
  );
}

/** True if an admin who pays it is shown the whole account number. */
export function isToPay({ status }: AdminBill): boolean {
  return BILL_TO_PAY.some((one) => one === status);
}

/** A bill that is being decided about. */
export interface DecidingBill {
  decision: BillDecisionName;
  bill: AdminBill;
}

/** Asks before a bill is decided, naming amount, person and payee. */
export function BillDecision({ decision, bill, onClose }: DecidingBill & { onClose: () => void }) {
  const { id, amount, employee, payee } = bill;
  const { consequence, ...rest } = BILL_DECISIONS[decision];
  return (
    <DecisionDialog
      decision={rest}
      id={id}
      subject={`${formatMoney(amount)} of ${employee.name}.`}
      topic="payments"
      unchanged="The bill was not changed."
      onClose={onClose}
    >
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {payee.name}{' '}
      ••{payee.last4}. {consequence}
    </DecisionDialog>
  );
}
