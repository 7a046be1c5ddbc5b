import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminDashboard } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActDialog } from '#web/desk/act-dialog.tsx';
import type { Deciding } from '#web/desk/desk.ts';
import { AdminActivity } from '#web/features/activity/admin-activity.tsx';
import { AdminStats } from '#web/features/activity/admin-stats.tsx';
import { Risks } from '#web/features/activity/risks.tsx';
import { WaitingForMe } from '#web/features/activity/waiting.tsx';
import { CashOutChart } from '#web/features/activity/cash-out-chart.tsx';
import { OwedAndHeld } from '#web/features/company-bank/owed-and-held.tsx';
import { SetupCard } from '#web/features/company/setup-card.tsx';
import { FailedDeliveries } from '#web/features/deliveries/failed-deliveries.tsx';
import { DEPOSIT_DESK } from '#web/features/deposits/desk.tsx';
import { PendingDeposits } from '#web/features/deposits/pending-deposits.tsx';
import { BatchDialog, type BatchTask, type OpenTask } from '#web/features/payroll/batch-dialog.tsx';
import { UpcomingPayroll } from '#web/features/payroll/upcoming-payroll.tsx';
import { WaitingBatchRow } from '#web/features/payroll/waiting-batch.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMoments } from '#web/ui/time.tsx';

/** Number of pending deposits on the dashboard. */
const NEWEST_DEPOSITS = 5;

/** `/admin/dashboard` */
export function AdminDashboardPage() {
  const dashboard = useQuery(apiQuery('adminGetDashboard', {}));
  const [today] = useState(() => new Date());
  const [shown, setShown] = useState<'health' | 'failed' | null>(null);
  const [task, setTask] = useState<BatchTask>();
  const write = useMoments();

  return (
    <>
      <ScreenHead
        subtitle={write(today, 'long')}
        actions={
          dashboard.data?.totalEmployees === 0 ? (
            <>
              <LinkButton href="/admin/employees/import">Import Employees</LinkButton>
              <LinkButton href="/admin/employees?task=add" kind="solid">
                Add Employee
              </LinkButton>
            </>
          ) : (
            <>
              <LinkButton href="/admin/individual-funding">Fund Employee</LinkButton>
              <LinkButton href="/admin/payroll" kind="money">
                Send Payroll
              </LinkButton>
            </>
          )
        }
      />
      {dashboard.data?.setup != null && <SetupCard {...dashboard.data.setup} />}
      {dashboard.isError && <QueryError query={dashboard} what="the dashboard" />}
      {isDrawn(dashboard) && (
        <AdminStats
          dashboard={dashboard.data}
          isHealthOpen={shown === 'health'}
          onHealth={(isOpen) => setShown(isOpen ? 'health' : null)}
          onShowFailed={() => setShown('failed')}
        />
      )}
      <OwedAndHeld />
      {shown === 'failed' && <FailedDeliveries onClose={() => setShown(null)} />}
      <BatchDialog task={task} onClose={() => setTask(undefined)} />
      <div className="admin-columns">
        <div className="admin-column">
          <WaitingForMe
            drawBatch={(batch) => <WaitingBatchRow key={batch.id} batch={batch} onTask={setTask} />}
          />
          <Deposits total={dashboard.data?.pendingDeposits.count} />
          {dashboard.data !== undefined && (
            <Section
              title="Recent Activity"
              end={<TextLink href="/admin/transactions">See All Transactions</TextLink>}
            >
              <AdminActivity items={dashboard.data.recentActivity} now={dashboard.dataUpdatedAt} />
            </Section>
          )}
        </div>
        <div className="admin-column">
          <Risks onShow={setShown} />
          {dashboard.isPending && <Skeleton lines={6} label="Loading upcoming payroll" />}
          {dashboard.data !== undefined && <Ahead dashboard={dashboard.data} onTask={setTask} />}
        </div>
      </div>
    </>
  );
}

/** Next payroll, and the money paid out in recent weeks. */
function Ahead({ dashboard, onTask }: { dashboard: AdminDashboard; onTask: OpenTask }) {
  const { upcomingPayroll, upcomingDrafts, nextPayroll, cashOutByWeek } = dashboard;
  const thisWeek = cashOutByWeek.at(-1)?.amount;
  return (
    <>
      <Section title="Upcoming Payroll">
        <UpcomingPayroll
          batches={upcomingPayroll}
          drafts={upcomingDrafts}
          nextPayroll={nextPayroll}
          onTask={onTask}
        />
      </Section>
      <Section
        title="Cash out by week"
        end={
          thisWeek !== undefined && (
            <span className="muted num">
              <Money amount={thisWeek} /> this week
            </span>
          )
        }
      >
        <CashOutChart weeks={cashOutByWeek} />
      </Section>
    </>
  );
}

interface DepositsProps {
  /** Total number of pending items. Undefined until the dashboard's figures have loaded. */
  total: number | undefined;
}

function Deposits({ total = 0 }: DepositsProps) {
  const [deciding, setDeciding] = useState<Deciding>();
  const list = useQuery(
    apiQuery('adminListDeposits', {
      query: { pageSize: NEWEST_DEPOSITS, status: 'pending', sort: 'submitted' },
    }),
  );

  function placeholder() {
    if (list.isError) return <QueryError query={list} what="the deposits" />;
    if (list.data?.items.length !== 0) return undefined;
    return (
      <EmptyState
        title="No pending deposits"
        hint="Deposits appear here until they are approved or rejected."
      />
    );
  }

  return (
    <Section
      title="Pending Deposits"
      end={
        <span className="section__end">
          {total > NEWEST_DEPOSITS && (
            <span className="muted num">{`Newest ${NEWEST_DEPOSITS} of ${formatCount(total)}`}</span>
          )}
          <TextLink href="/admin/settings">Where deposits go</TextLink>
        </span>
      }
    >
      <PendingDeposits
        rows={list.data?.items ?? []}
        onDecide={setDeciding}
        isLoading={list.isPending}
        placeholder={placeholder()}
      />
      {deciding !== undefined && (
        <ActDialog desk={DEPOSIT_DESK} {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </Section>
  );
}
