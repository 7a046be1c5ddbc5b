import { useState } from 'react';
import type { AdminDashboard } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { formatCount } from '#web/lib/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { TextButton } from '#web/ui/text-button.tsx';

interface AdminStatsProps {
  /** Undefined while it loads: bars stand in for figures. */
  dashboard: AdminDashboard | undefined;
}

/** The four figures over the admin's dashboard. */
export function AdminStats({ dashboard }: AdminStatsProps) {
  if (dashboard === undefined) {
    return (
      <Stats>
        {['Total Employees', 'Monthly Payroll', 'Pending Deposits', 'System Health'].map(
          (label) => (
            <Stat key={label} label={label} value={<SkeletonBar width="short" />} />
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
      <SystemHealth health={dashboard.systemHealth} />
    </Stats>
  );
}

type Health = AdminDashboard['systemHealth'];
type Part = keyof Health['checks'];

const PARTS: Record<Part, string> = {
  database: 'Database',
  queue: 'Queue',
  mail: 'Mail',
  storage: 'Storage',
  ledger: 'Ledger',
};

/** The measured share of checks that passed; what is checked, and how it is now, behind a press. */
function SystemHealth({ health }: { health: Health }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Stat
        label="System Health"
        value={health.uptime === null ? 'Not measured' : `${health.uptime}%`}
        note={<TextButton onPress={() => setIsOpen(true)}>Uptime, show checks</TextButton>}
      />
      <Dialog title="System Health" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Facts
          facts={[
            ...Object.entries(PARTS).map(([part, label]) => ({
              label,
              value: <CheckStatus check={health.checks[part as Part]} />,
            })),
            {
              label: 'Last checked',
              value:
                health.checkedAt === null ? (
                  'Not yet'
                ) : (
                  <Time at={health.checkedAt} as="dateTime" />
                ),
            },
          ]}
        />
        <p className="meta mt-4">Uptime is the share of the last 30 days’ checks that passed.</p>
      </Dialog>
    </>
  );
}

function CheckStatus({ check }: { check: Health['checks'][Part] }) {
  if (check === 'up') return <Status status="active" label="Up" />;
  if (check === 'down') return <Status status="failed" label="Down" />;
  return <Status status="not_started" label="Not checked yet" />;
}
