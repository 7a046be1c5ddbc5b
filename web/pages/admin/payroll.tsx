import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { BatchHistory, type HistorySearch } from '#web/features/payroll/batch-history.tsx';
import { readLineFilter, type LinesView } from '#web/features/payroll/batch-lines.tsx';
import { BatchView } from '#web/features/payroll/batch-view.tsx';
import { usePayrollForm } from '#web/features/payroll/payroll-form.ts';
import { PayrollStats } from '#web/features/payroll/payroll-stats.tsx';
import { SendPayroll } from '#web/features/payroll/send-payroll.tsx';
import { changed, readPage, writePage, type Changes } from '#web/lib/address.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

/** What the address says: the tab, the batch that is looked at, the lists' filters and pages. */
interface PayrollSearch extends HistorySearch {
  tab?: string;
  batch?: string;
  lines?: string;
  linePage?: string;
}

/** `/admin/payroll` */
export function PayrollPage() {
  const address = useSearch({ from: '/admin/admin/payroll' });
  const navigate = useNavigate({ from: '/admin/payroll' });
  const queryClient = useQueryClient();
  const stats = useQuery(apiQuery('getPayrollStats', {}));
  const payroll = usePayrollForm();
  const [firstBatch] = useState(address.batch);
  const isHistory = address.tab === 'history';

  function change(changes: Changes<PayrollSearch>, replace = false): void {
    void navigate({ search: (current) => changed(current, changes), replace });
  }

  /** The reply is the batch's first state: what follows is told against it. */
  function follow(batch: PayrollBatch): void {
    queryClient.setQueryData(
      apiQuery('getPayrollBatch', { params: { id: batch.id } }).queryKey,
      batch,
    );
    markStale(queryClient, 'payroll');
    void navigate({ search: { batch: batch.id } });
  }

  function batchView(id: string, next: ReactNode) {
    return (
      <BatchView
        id={id}
        view={{ status: readLineFilter(address.lines), page: readPage(address.linePage) }}
        onViewChange={({ status, page }: LinesView) =>
          change({ lines: status === 'all' ? undefined : status, linePage: writePage(page) })
        }
        takesFocus={id !== firstBatch}
        next={next}
      />
    );
  }

  function sendTab() {
    if (address.batch === undefined) return <SendPayroll payroll={payroll} onSent={follow} />;
    return batchView(
      address.batch,
      <Button onPress={() => void navigate({ search: {} })}>Send another payroll</Button>,
    );
  }

  function historyTab() {
    const list = { batch: undefined, lines: undefined, linePage: undefined };
    if (address.batch !== undefined) {
      return batchView(
        address.batch,
        <Button onPress={() => change(list)}>Back to History</Button>,
      );
    }
    return (
      <div className="section">
        <BatchHistory
          address={address}
          onAddressChange={change}
          onOpen={(batch) => change({ batch })}
        />
      </div>
    );
  }

  const figures = stats.isError ? (
    <ErrorState
      title="Error Loading Statistics"
      message={errorMessage(stats.error, 'Please try again.')}
      onRetry={() => void stats.refetch()}
      isRetrying={stats.isFetching}
    />
  ) : (
    <PayrollStats stats={stats.data} />
  );

  return (
    <>
      <div className="page-head">
        <PageTitle>Payroll Management</PageTitle>
      </div>
      <Tabs
        label="Payroll"
        selected={isHistory ? 'history' : 'send'}
        onSelect={(tab) => void navigate({ search: tab === 'history' ? { tab } : {} })}
        tabs={[
          {
            id: 'send',
            label: 'Send Payroll',
            content: (
              <>
                {figures}
                {!isHistory && sendTab()}
              </>
            ),
          },
          {
            id: 'history',
            label: 'History',
            content: (
              <>
                {figures}
                {isHistory && historyTab()}
              </>
            ),
          },
        ]}
      />
    </>
  );
}
