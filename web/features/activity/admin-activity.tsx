import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import type { AdminDashboard } from '#contract/api.ts';
import { formatAge } from '#web/lib/format.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';

interface AdminActivityProps {
  items: AdminDashboard['recentActivity'];
  /** Current time. Ages are relative to it. */
  now: number;
}

/** Newest movements of all employees' money. */
export function AdminActivity({ items, now }: AdminActivityProps) {
  if (items.length === 0) {
    return <EmptyState title="No transactions yet" hint="The first payroll will appear here." />;
  }
  return (
    <ul className="activity-list">
      {items.map((item) => (
        <li key={item.id}>
          <div>
            <Clipped>{`${TRANSACTION_TYPE_LABELS[item.type]}, ${item.employeeName}`}</Clipped>
            <p className="meta">
              <time dateTime={item.at}>{formatAge(item.at, now, 'Less than an hour ago')}</time>
            </p>
          </div>
          <Status status={item.status} />
          <span className="num activity-list__amount">
            <Money
              amount={item.amount}
              signs="always"
              isFaded={item.status === 'failed' || item.status === 'cancelled'}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
