import type { AdminDashboard } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { ApproverNote, BatchApproval } from './batch-approval.tsx';
import type { OpenTask } from './batch-dialog.tsx';
import { WindowRow } from './batch-window.tsx';
import { draftTotal, draftWords, employeesWords } from './words.ts';
import './payroll.css';

interface UpcomingPayrollProps {
  batches: AdminDashboard['upcomingPayroll'];
  drafts: AdminDashboard['upcomingDrafts'];
  /** Next payday for which a payroll is due. Null without a schedule. */
  nextPayroll: string | null;
  onTask: OpenTask;
}

/** Links to the unfinished batches and the drafts, and the next payday. */
export function UpcomingPayroll({ batches, drafts, nextPayroll, onTask }: UpcomingPayrollProps) {
  if (batches.length + drafts.length === 0) {
    return (
      <EmptyState
        title={
          nextPayroll === null
            ? 'No payroll is scheduled'
            : `Next payroll: ${formatDay(nextPayroll, 'long')}`
        }
        hint="No batch is waiting."
        action={<LinkButton href="/admin/payroll">Send Payroll</LinkButton>}
      />
    );
  }
  return (
    <ul className="upcoming">
      {batches.map((batch) => (
        <li key={batch.id}>
          <TextLink href={`/admin/payroll?batch=${batch.id}`}>{batch.name}</TextLink>
          <span className="num upcoming__end">
            <Money amount={batch.total} />
          </span>
          <span className="meta">{`${employeesWords(batch.employees)}, ${batch.payPeriod}`}</span>
          <span className="upcoming__end">
            <Status
              status={batch.status}
              label={batch.approval === null ? undefined : 'Needs approval'}
            />
          </span>
          <ApproverNote approval={batch.approval} />
          <span className="upcoming__end">
            <BatchApproval batch={batch} onTask={onTask} isRow />
            <WindowRow batch={batch} onTask={onTask} />
          </span>
        </li>
      ))}
      {drafts.map((draft) => (
        <li key={draft.id}>
          <TextLink href={`/admin/payroll?draft=${draft.id}`}>{draft.name}</TextLink>
          <span className="num upcoming__end">
            <Money amount={draftTotal(draft)} />
          </span>
          <span className="meta">{draftWords(draft)}</span>
          <span className="upcoming__end">
            <Status status="draft" />
          </span>
        </li>
      ))}
      {nextPayroll !== null && (
        <li>
          <TextLink href="/admin/payroll">Next payroll</TextLink>
          <span className="upcoming__end">{formatDay(nextPayroll, 'long')}</span>
        </li>
      )}
    </ul>
  );
}
