import { useState } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { formatMoney } from '#contract/money.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { ROW_SHORTCUTS } from '#web/kit/row-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { employeesWords } from './words.ts';
import './payroll.css';

const DECISIONS = decisionsOf(payrollBatch);

/** The fields of a payroll or funding that its approval needs. */
export type WaitingBatch = Pick<PayrollBatch, 'id' | 'name' | 'employees' | 'total' | 'approval'>;

type Answer = 'approve' | 'decline';

interface BatchApprovalProps {
  batch: WaitingBatch;
  /** True in a table row, where the buttons are text buttons. */
  isRow?: boolean;
}

/**
 * Approve and Decline for a batch that waits for a second administrator. Renders nothing otherwise.
 */
export function BatchApproval({ batch, isRow = false }: BatchApprovalProps) {
  const [deciding, setDeciding] = useState<Answer>();
  const { approval, name, id } = batch;
  if (approval === null) return null;
  const isReviewed = isRow && approval.differences > 0;
  const shape = isRow ? 'text' : 'standard';
  const button = (what: Answer) => {
    const { label, kind } = DECISIONS[what];
    return (
      <Button
        shape={shape}
        kind={kind}
        shortcut={ROW_SHORTCUTS[label]}
        aria-label={`${label} ${name}`}
        onPress={() => setDeciding(what)}
      >
        {label}
      </Button>
    );
  };
  return (
    <span className={isRow ? 'approval__acts' : 'batch__actions'}>
      {button('decline')}
      {approval.mayApprove && !isReviewed && button('approve')}
      {approval.mayApprove && isReviewed && (
        <TextLink href={`/admin/payroll?tab=history&batch=${id}`} aria-label={`Review ${name}`}>
          Review
        </TextLink>
      )}
      {deciding !== undefined && (
        <BatchDecision batch={batch} answer={deciding} onClose={() => setDeciding(undefined)} />
      )}
    </span>
  );
}

/**
 * The reason the caller cannot approve a batch, and who can from when. Renders nothing if they can.
 */
export function ApproverNote({ approval }: Pick<WaitingBatch, 'approval'>) {
  const write = useMoments();
  if (approval === null || approval.mayApprove) return null;
  const who = whoCanWords(approval.people, (at) => write(at, 'weekdayTime'));
  const changed = approval.changedAmounts ? 'You were the last to change its amounts. ' : '';
  const why = approval.isMine ? 'You sent it. ' : changed;
  return <span className="meta">{`Needs a second administrator. ${why}${who}`}</span>;
}

interface BatchDecisionProps {
  batch: WaitingBatch;
  answer: Answer;
  onClose: () => void;
}

/** Confirms an approval, or asks for the reason of a refusal. */
function BatchDecision({ batch, answer, onClose }: BatchDecisionProps) {
  const { id, name, employees, total } = batch;
  const decision = DECISIONS[answer];
  const confirm = answer === 'approve' && { confirm: `Approve ${formatMoney(total)}` };
  return (
    <DecisionDialog
      decision={{ ...decision, ...confirm }}
      id={id}
      subject={`${name}, ${formatMoney(total)}.`}
      topic="payroll"
      unchanged="The payroll was not changed."
      onClose={onClose}
      details={
        <Facts
          isTight
          facts={[
            { label: 'Payroll', value: name },
            { label: 'Employees', value: employeesWords(employees) },
            { label: 'Total', value: <Money amount={total} /> },
          ]}
        />
      }
    >
      {decision.consequence}
    </DecisionDialog>
  );
}
