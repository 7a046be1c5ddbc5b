import type { AdminBill } from '#contract/api.ts';
import { billCan, type BillAction } from '#contract/bills.ts';
import { can } from '#contract/can.ts';
import { formatMoney } from '#contract/money.ts';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';
import { Money } from '#web/ui/money.tsx';

/** What an admin can decide about a bill. */
export type BillDecisionName = Extract<BillAction, 'send' | 'complete' | 'stop' | 'return'>;

export const BILL_DECISIONS: Record<BillDecisionName, Decision & { consequence: string }> = {
  stop: {
    operation: 'adminStopBill',
    label: 'Reject',
    kind: 'outline',
    title: 'Reject bill',
    consequence: 'Only if it has not left. The amount returns to the employee’s available balance.',
    reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Bill' },
    pending: 'Rejecting',
    done: 'Bill Rejected',
  },
  send: {
    operation: 'adminSendBill',
    label: 'Mark as sent',
    kind: 'money',
    title: 'Mark this bill as sent?',
    consequence: 'Send it at your bank first. It stays held until you complete or reject it.',
    pending: 'Marking',
    done: 'Bill Sent',
  },
  complete: {
    operation: 'adminCompleteBill',
    label: 'Complete',
    kind: 'money',
    title: 'Complete this bill?',
    consequence: 'The held amount leaves the wallet and is booked as paid.',
    pending: 'Completing',
    done: 'Bill Paid',
  },
  return: {
    operation: 'adminReturnBill',
    label: 'Returned by bank',
    kind: 'danger',
    title: 'Returned by bank',
    consequence: 'The payment is reversed and the amount is back in the employee’s wallet.',
    confirm: 'Book the return',
    reason: { emptyHint: 'Enter the bank’s reason.', keep: 'Keep Bill' },
    pending: 'Booking',
    done: 'Bill Returned',
  },
};

const ROW_DECISIONS: readonly BillDecisionName[] = ['stop', 'send', 'complete'];
const ALL_DECISIONS: readonly BillDecisionName[] = ['return', ...ROW_DECISIONS];

/** What can be decided now in the table's row; in the details, also its return. */
export function billDecisions(
  { status }: AdminBill,
  { isRow }: { isRow: boolean },
): BillDecisionName[] {
  const offered = isRow ? ROW_DECISIONS : ALL_DECISIONS;
  return offered.filter((decision) => can(billCan, decision, status));
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
