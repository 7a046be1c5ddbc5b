import type { AdminDashboard } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { ApproverNote, BatchApproval } from './batch-approval.tsx';
import { WindowRow } from './batch-window.tsx';
import { employeesWords } from './words.ts';
import './payroll.css';

interface UpcomingPayrollProps {
  batches: AdminDashboard['upcomingPayroll'];
  /** Next payday for which a payroll is due. Null without a schedule. */
  nextPayroll: string | null;
}

/** Links to the unfinished batches, and the next payday. */
export function UpcomingPayroll({ batches, nextPayroll }: UpcomingPayrollProps) {
  if (batches.length === 0) {
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
            <BatchApproval batch={batch} isRow />
            <WindowRow batch={batch} />
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
