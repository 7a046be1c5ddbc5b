import type { AdminDashboard } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import './payroll.css';

interface UpcomingPayrollProps {
  batches: AdminDashboard['upcomingPayroll'];
  /** The calendar day payroll is due next. */
  nextPayroll: string;
}

/** Batches that are not finished; without one, when payroll is due next. */
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
          <Clipped>{batch.name}</Clipped>
          <span className="num upcoming__end">
            <Money amount={batch.total} />
          </span>
          <span className="meta">{`${batch.employees} employees, ${batch.payPeriod}`}</span>
          <span className="upcoming__end">
            <Status status={batch.status} />
          </span>
        </li>
      ))}
    </ul>
  );
}
