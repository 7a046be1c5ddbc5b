import type { AdminDeposit } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { deposit as thing } from '#contract/things/deposit.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CheckImages, totalOf } from './check-images.tsx';
import './deposit.css';

/** In a row, the step that takes it on stands at the edge. */
export const DECISION_NAMES = ['reject', 'approve'] as const;
export type DecisionName = (typeof DECISION_NAMES)[number];

export const DECISIONS = decisionsOf(thing);

/** A deposit that is being decided about. */
export interface Deciding {
  decision: DecisionName;
  deposit: AdminDeposit;
}

/** Asks before a deposit is approved, and for the reason before one is rejected. */
export function DepositDecision({
  decision,
  deposit,
  onClose,
}: Deciding & { onClose: () => void }) {
  const { id, amount, methodName, walletName, employee } = deposit;
  return (
    <DecisionDialog
      decision={DECISIONS[decision]}
      id={id}
      subject={`${formatMoney(amount)} of ${employee.name}.`}
      topic="deposits"
      unchanged="The deposit was not changed."
      onClose={onClose}
      details={decision === 'approve' && <DecisionFacts id={id} />}
    >
      <Money amount={amount} /> by {methodName} to {walletName} of{' '}
      <span className="strong">{employee.name}</span>. {DECISIONS[decision].consequence}
    </DecisionDialog>
  );
}

/** What to compare before money is added: what was to be sent, and the photographs of a check. */
function DecisionFacts({ id }: { id: string }) {
  const query = useQuery(apiQuery('adminGetDeposit', { params: { id } }));
  if (query.isPending) return <Skeleton lines={4} label="Loading the deposit" />;
  if (query.isError) return <QueryError query={query} title="Failed to load the deposit" />;
  const { reference, amount, fee, images, description } = query.data;
  return (
    <div className="deposit">
      <Facts
        isTight
        facts={[
          { label: 'Reference', value: reference },
          { label: 'They send', value: <Money amount={totalOf({ amount, fee })} /> },
          { label: 'Fee', value: <Money amount={fee} /> },
          ...(description === '' ? [] : [{ label: 'Description', value: description }]),
        ]}
      />
      <CheckImages images={images} />
    </div>
  );
}
