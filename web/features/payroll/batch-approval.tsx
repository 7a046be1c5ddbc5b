import { useState } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { formatMoney } from '#contract/money.ts';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';
import { ROW_SHORTCUTS } from '#web/kit/row-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { employeesWords } from './words.ts';
import './payroll.css';

const DECISIONS = {
  approve: {
    operation: 'adminApprovePayroll',
    label: 'Approve',
    kind: 'money',
    title: 'Approve this payroll?',
    pending: 'Approving',
    done: 'Payroll Approved',
  },
  decline: {
    operation: 'adminDeclinePayroll',
    label: 'Decline',
    kind: 'outline',
    title: 'Decline payroll',
    reason: {
      emptyHint: 'Enter a reason to decline.',
      keep: 'Keep Payroll',
      placeholder: 'The administrator who sent it reads this reason.',
    },
    pending: 'Declining',
    done: 'Payroll Declined',
  },
} as const satisfies Record<string, Decision>;

/** The fields of a payroll or funding that its approval needs. */
export type WaitingBatch = Pick<PayrollBatch, 'id' | 'name' | 'employees' | 'total' | 'approval'>;

interface BatchApprovalProps {
  batch: WaitingBatch;
  /** True in a table row, where the buttons are text buttons. */
  isRow?: boolean;
}

/**
 * Approve and Decline for a batch that waits for a second administrator. Renders nothing otherwise.
 */
export function BatchApproval({ batch, isRow = false }: BatchApprovalProps) {
  const [deciding, setDeciding] = useState<keyof typeof DECISIONS>();
  const { approval, name } = batch;
  if (approval === null) return null;
  const shape = isRow ? 'text' : 'standard';
  const button = (what: keyof typeof DECISIONS) => {
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
      {approval.mayApprove && button('approve')}
      {deciding !== undefined && (
        <BatchDecision
          batch={batch}
          decision={DECISIONS[deciding]}
          onClose={() => setDeciding(undefined)}
        />
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
  const why = approval.isMine ? 'You sent it. ' : '';
  return <span className="meta">{`Needs a second administrator. ${why}${who}`}</span>;
}

interface BatchDecisionProps {
  batch: WaitingBatch;
  decision: (typeof DECISIONS)[keyof typeof DECISIONS];
  onClose: () => void;
}

/** Confirms an approval, or asks for the reason of a refusal. */
function BatchDecision({ batch, decision, onClose }: BatchDecisionProps) {
  const { id, name, employees, total } = batch;
  const isApproval = decision === DECISIONS.approve;
  return (
    <DecisionDialog
      decision={isApproval ? { ...decision, confirm: `Approve ${formatMoney(total)}` } : decision}
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
      {isApproval
        ? 'The employees are paid after you approve, once the time to stop the payroll is over.'
        : 'Nobody is paid. To pay these employees, send another payroll.'}
    </DecisionDialog>
  );
}
