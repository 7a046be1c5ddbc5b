import type { PayrollBatch } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { ROW_SHORTCUTS } from '#web/kit/row-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { BATCH_DECISIONS, type AskedBatch, type OpenTask } from './batch-dialog.tsx';
import './payroll.css';

/** The fields of a payroll or funding that its approval needs. */
export type WaitingBatch = AskedBatch & Pick<PayrollBatch, 'approval'>;

interface BatchApprovalProps {
  batch: WaitingBatch;
  /** True in a table row, where the buttons are text buttons. */
  isRow?: boolean;
  onTask: OpenTask;
}

/**
 * Approve and Decline for a batch that waits for a second administrator. Renders nothing otherwise.
 */
export function BatchApproval({ batch, isRow = false, onTask }: BatchApprovalProps) {
  const { approval, name, id } = batch;
  if (approval === null) return null;
  const isReviewed = isRow && approval.differences > 0;
  const shape = isRow ? 'text' : 'standard';
  const button = (act: 'approve' | 'decline') => {
    const { label, kind } = BATCH_DECISIONS[act];
    return (
      <Button
        shape={shape}
        kind={kind}
        shortcut={ROW_SHORTCUTS[label]}
        aria-label={`${label} ${name}`}
        onPress={() => onTask({ act, batch })}
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
