import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { DecisionDialog } from '#web/kit/decision-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { DECISIONS, type DecisionName } from './decisions.ts';

/** A withdrawal that is being decided about. */
export interface Deciding {
  decision: DecisionName;
  withdrawal: AdminWithdrawal;
}

/** Asks before a withdrawal is decided, naming amount, person and bank. */
export function WithdrawalDecision({
  decision,
  withdrawal,
  onClose,
}: Deciding & { onClose: () => void }) {
  const { id, amount, employee, bankName, bankLast4 } = withdrawal;
  const { consequence, ...rest } = DECISIONS[decision];
  return (
    <DecisionDialog
      decision={rest}
      id={id}
      subject={`${formatMoney(amount)} of ${employee.name}.`}
      topic="withdrawals"
      unchanged="The withdrawal was not changed."
      onClose={onClose}
    >
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {bankName}{' '}
      ••
      {bankLast4}. {consequence}
    </DecisionDialog>
  );
}
