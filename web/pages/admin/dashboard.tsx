import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminDashboard, AdminDeposit } from '#contract/api.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { AdminActivity } from '#web/features/activity/admin-activity.tsx';
import { AdminStats } from '#web/features/activity/admin-stats.tsx';
import { CashOutChart } from '#web/features/activity/cash-out-chart.tsx';
import {
  DepositDecisionDialog,
  type DepositDecision,
} from '#web/features/deposits/deposit-decision.tsx';
import { PendingDeposits } from '#web/features/deposits/pending-deposits.tsx';
import { UpcomingPayroll } from '#web/features/payroll/upcoming-payroll.tsx';
import { formatCount } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMoments } from '#web/ui/time.tsx';

/** How many pending deposits the dashboard lists. */
const NEWEST_DEPOSITS = 5;

/** `/admin/dashboard` */
export function AdminDashboardPage() {
  const dashboard = useQuery(apiQuery('getAdminDashboard', {}));
  const [today] = useState(() => new Date());
  const write = useMoments();

  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle>Dashboard</PageTitle>
          <p className="page-head__sub">{write(today, 'long')}</p>
        </div>
        <div className="page-head__actions">
          <LinkButton href="/admin/payroll" kind="money">
            Send Payroll
          </LinkButton>
        </div>
      </div>
      {dashboard.isError ? (
        <ErrorState
          title="Error Loading Dashboard"
          message={errorMessage(dashboard.error, 'Please try again.')}
          onRetry={() => void dashboard.refetch()}
          isRetrying={dashboard.isFetching}
        />
      ) : (
        <AdminStats dashboard={dashboard.data} />
      )}
      <div className="admin-columns">
        <Deposits total={dashboard.data?.pendingDeposits.count} />
        {dashboard.isPending && <Skeleton lines={6} label="Loading upcoming payroll" />}
        {dashboard.data !== undefined && (
          <Overview dashboard={dashboard.data} now={dashboard.dataUpdatedAt} />
        )}
      </div>
    </>
  );
}

function Overview({ dashboard, now }: { dashboard: AdminDashboard; now: number }) {
  const { upcomingPayroll, nextPayroll, recentActivity, cashOutByWeek } = dashboard;
  const thisWeek = cashOutByWeek.at(-1)?.amount;
  return (
    <>
      <Section title="Upcoming Payroll">
        <UpcomingPayroll batches={upcomingPayroll} nextPayroll={nextPayroll} />
      </Section>
      <Section title="Recent Activity">
        <AdminActivity items={recentActivity} now={now} />
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
  /** How many wait in all; undefined until the dashboard's figures are there. */
  total: number | undefined;
}

function Deposits({ total = 0 }: DepositsProps) {
  const [deciding, setDeciding] = useState<{ decision: DepositDecision; deposit: AdminDeposit }>();
  const list = useQuery(
    apiQuery('adminListDeposits', { query: { pageSize: NEWEST_DEPOSITS, status: 'pending' } }),
  );

  function instead() {
    if (list.isError) {
      return (
        <ErrorState
          title="Error Loading Deposits"
          message={errorMessage(list.error, 'Please try again.')}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      );
    }
    if (list.data?.items.length !== 0) return undefined;
    return (
      <EmptyState
        title="No pending deposits"
        hint="What employees send shows here to be approved."
      />
    );
  }

  return (
    <Section
      title="Pending Deposits"
      end={
        total > NEWEST_DEPOSITS && (
          <span className="muted num">{`Newest ${NEWEST_DEPOSITS} of ${formatCount(total)}`}</span>
        )
      }
    >
      <PendingDeposits
        rows={list.data?.items ?? []}
        onDecide={(decision, deposit) => setDeciding({ decision, deposit })}
        isLoading={list.isPending}
        instead={instead()}
      />
      {deciding !== undefined && (
        <DepositDecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </Section>
  );
}
