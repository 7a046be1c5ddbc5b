import type { AdminDashboard } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import { SystemHealth } from './system-health.tsx';

interface AdminStatsProps {
  /** Undefined while loading, which shows placeholders. */
  dashboard: AdminDashboard | undefined;
  isHealthOpen: boolean;
  onHealth: (isOpen: boolean) => void;
  /** Opens the list of failed deliveries. */
  onShowFailed: () => void;
}

/** The four figures of the admin's dashboard. */
export function AdminStats({ dashboard, isHealthOpen, onHealth, onShowFailed }: AdminStatsProps) {
  if (dashboard === undefined) {
    return (
      <Stats>
        {['Total Employees', 'Monthly Payroll', 'Pending Deposits', 'System Health'].map(
          (label) => (
            <Stat
              key={label}
              label={label}
              value={<SkeletonBar width="short" />}
              note={NOTE_TO_COME}
            />
          ),
        )}
      </Stats>
    );
  }
  const { totalEmployees, joinedThisMonth, monthlyPayroll, pendingDeposits } = dashboard;
  return (
    <Stats>
      <Stat
        label="Total Employees"
        value={formatCount(totalEmployees)}
        note={`${formatCount(joinedThisMonth)} joined this month`}
      />
      <Stat
        label="Monthly Payroll"
        value={<Money amount={monthlyPayroll} />}
        note="Completed this month"
      />
      <Stat
        label="Pending Deposits"
        value={formatCount(pendingDeposits.count)}
        note={`${formatMoney(pendingDeposits.amount)} waiting`}
      />
      <SystemHealth
        health={dashboard.systemHealth}
        isOpen={isHealthOpen}
        onOpen={onHealth}
        onShowFailed={onShowFailed}
      />
    </Stats>
  );
}
