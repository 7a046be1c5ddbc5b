import { useState } from 'react';
import type { AdminDashboard } from '#contract/api.ts';
import { formatCount, formatDateTime, formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Status } from '#web/ui/status.tsx';

interface AdminStatsProps {
  /** Undefined while it loads: bars stand in for figures. */
  dashboard: AdminDashboard | undefined;
  timeZone: string;
  /** Opens the list of what could not be delivered. */
  onShowFailed: () => void;
}

/** The four figures over the admin's dashboard. */
export function AdminStats({ dashboard, timeZone, onShowFailed }: AdminStatsProps) {
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
        value={<Money minor={monthlyPayroll.minor} currency={monthlyPayroll.currency} />}
        note="Completed this month"
      />
      <Stat
        label="Pending Deposits"
        value={formatCount(pendingDeposits.count)}
        note={`${formatMoney(pendingDeposits.amount.minor, pendingDeposits.amount.currency)} waiting`}
      />
      <SystemHealth
        health={dashboard.systemHealth}
        timeZone={timeZone}
        onShowFailed={onShowFailed}
      />
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

interface SystemHealthProps {
  health: Health;
  timeZone: string;
  onShowFailed: () => void;
}

/** The measured share of checks that passed; what is checked, and how it is now, behind a press. */
function SystemHealth({ health, timeZone, onShowFailed }: SystemHealthProps) {
  const [isOpen, setIsOpen] = useState(false);
  const failed = failedWords(health.failedDeliveries);
  return (
    <>
      <Stat
        label="System Health"
        value={health.uptime === null ? 'Not measured' : `${health.uptime}%`}
        note={
          <button type="button" className="link" onClick={() => setIsOpen(true)}>
            {failed ?? 'Uptime, show checks'}
          </button>
        }
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
                health.checkedAt === null ? 'Not yet' : formatDateTime(health.checkedAt, timeZone),
            },
          ]}
        />
        {failed !== null && (
          <div className="mt-4">
            <Notice tone="critical">
              <p>{`${failed}: a mail, a live event or the start of a payroll did not get through.`}</p>
              <Button
                shape="small"
                className="mt-2"
                onPress={() => {
                  setIsOpen(false);
                  onShowFailed();
                }}
              >
                Show failed deliveries
              </Button>
            </Notice>
          </div>
        )}
        <p className="meta mt-4">Uptime is the share of the last 30 days’ checks that passed.</p>
      </Dialog>
    </>
  );
}

/** "3 failed deliveries"; null when there are none. */
function failedWords(count: number): string | null {
  if (count === 0) return null;
  return `${formatCount(count)} failed ${count === 1 ? 'delivery' : 'deliveries'}`;
}

function CheckStatus({ check }: { check: Health['checks'][Part] }) {
  if (check === 'up') return <Status status="active" label="Up" />;
  if (check === 'down') return <Status status="failed" label="Down" />;
  return <Status status="not_started" label="Not checked yet" />;
}
