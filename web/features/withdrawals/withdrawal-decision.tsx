import { useQuery } from '@tanstack/react-query';
import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { DecisionDialog } from '#web/kit/decision-dialog.tsx';
import { PayoutNotices, payoutFacts } from '#web/kit/payout-facts.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
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
      details={rest.kind === 'money' && <BeforePayout id={id} />}
    >
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {bankName}{' '}
      ••
      {bankLast4}. {consequence}
    </DecisionDialog>
  );
}

/** What is known of the employee and the bank account, read before money can leave. */
function BeforePayout({ id }: { id: string }) {
  const query = useQuery(apiQuery('adminGetWithdrawal', { params: { id } }));
  if (query.isPending) return <Skeleton lines={5} label="Loading the details" />;
  if (query.isError) return <QueryError query={query} title="Error Loading Details" />;
  const { context } = query.data;
  return (
    <>
      <Facts isTight facts={payoutFacts(context, stillCoolingOff(query.data))} />
      <PayoutNotices context={context} />
    </>
  );
}
