import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { ApproverNote, BatchApproval, type WaitingBatch } from './batch-approval.tsx';
import type { OpenTask } from './batch-dialog.tsx';
import './payroll.css';

/** A batch that waits for approval: its amount, and its buttons for admins who may decide. */
export function WaitingBatchRow({ batch, onTask }: { batch: WaitingBatch; onTask: OpenTask }) {
  return (
    <div className="approval">
      <TextLink href={`/admin/payroll?tab=history&batch=${batch.id}`}>{batch.name}</TextLink>
      <span className="num approval__end">
        <Money amount={batch.total} />
      </span>
      <ApproverNote approval={batch.approval} />
      <span className="approval__end">
        <BatchApproval batch={batch} onTask={onTask} isRow />
      </span>
    </div>
  );
}
