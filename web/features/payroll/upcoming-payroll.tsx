import type { AdminDashboard } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import './payroll.css';

interface UpcomingPayrollProps {
  batches: AdminDashboard['upcomingPayroll'];
  /** The calendar day payroll is due next. */
  nextPayroll: string;
}

/** Batches that are not finished, each a link to itself, and when payroll is due next. */
export function UpcomingPayroll({ batches, nextPayroll }: UpcomingPayrollProps) {
  if (batches.length === 0) {
    return (
      <EmptyState
        title={`Next payroll: ${formatDay(nextPayroll, 'long')}`}
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
          <span className="meta">{`${batch.employees} employees, ${batch.payPeriod}`}</span>
          <span className="upcoming__end">
            <Status status={batch.status} />
          </span>
        </li>
      ))}
      <li>
        <TextLink href="/admin/payroll">Next payroll</TextLink>
        <span className="upcoming__end">{formatDay(nextPayroll, 'long')}</span>
      </li>
    </ul>
  );
}
