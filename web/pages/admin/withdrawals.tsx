import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AdminWithdrawal } from '#contract/api.ts';
import { addressOf } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { WithdrawalDetails } from '#web/features/withdrawals/admin-details.tsx';
import {
  STATUS_OPTIONS,
  URGENCY_OPTIONS,
  readWithdrawalQuery,
  tableSort,
  type WithdrawalQuery,
  type WithdrawalSearch,
} from '#web/features/withdrawals/admin-filter.ts';
import { WithdrawalStats } from '#web/features/withdrawals/admin-stats.tsx';
import { WithdrawalTable } from '#web/features/withdrawals/admin-table.tsx';
import { DecisionDialog } from '#web/features/withdrawals/decision-dialog.tsx';
import type { Decision } from '#web/features/withdrawals/decisions.ts';
import { changed, writePage, type Changes } from '#web/lib/address.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { FilterSelect } from '#web/ui/select.tsx';

type Change = Changes<WithdrawalSearch & { request?: string }>;

interface Pending {
  decision: Decision;
  withdrawal: AdminWithdrawal;
}

/** `/admin/withdrawals` */
export function WithdrawalsPage() {
  const search = useSearch({ from: '/admin/admin/withdrawals' });
  const navigate = useNavigate({ from: '/admin/withdrawals' });
  const [deciding, setDeciding] = useState<Pending>();
  const stats = useQuery(apiQuery('adminWithdrawalStats', {}));

  function change(changes: Change, replace = false): void {
    void navigate({ search: (current) => changed(current, changes), replace });
  }

  return (
    <>
      <div className="page-head">
        <PageTitle>Withdrawal Management</PageTitle>
      </div>
      {stats.isError ? (
        <ErrorState
          title="Error Loading Statistics"
          message={errorMessage(stats.error, 'Please try again.')}
          onRetry={() => void stats.refetch()}
          isRetrying={stats.isFetching}
        />
      ) : (
        <WithdrawalStats stats={stats.data} />
      )}
      <WithdrawalList
        query={readWithdrawalQuery(search)}
        onChange={change}
        onDecide={(decision, withdrawal) => setDeciding({ decision, withdrawal })}
      />
      {search.request !== undefined && (
        <WithdrawalDetails
          id={search.request}
          onClose={() => change({ request: undefined })}
          onDecide={(decision, withdrawal) => {
            change({ request: undefined }, true);
            setDeciding({ decision, withdrawal });
          }}
        />
      )}
      {deciding !== undefined && (
        <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}

interface WithdrawalListProps {
  query: WithdrawalQuery;
  onChange: (changes: Change, replace?: boolean) => void;
  onDecide: (decision: Decision, withdrawal: AdminWithdrawal) => void;
}

function WithdrawalList({ query, onChange, onDecide }: WithdrawalListProps) {
  const { search, status, urgency } = query;
  const filter = { search, status, urgency };
  const list = usePagedList(
    apiQuery('adminListWithdrawals', { query }),
    apiQuery('adminCountWithdrawals', { query: filter }),
  );
  const isFiltered = search !== '' || status !== 'all' || urgency !== 'all';

  return (
    <ListFrame
      list={list}
      search={{
        label: 'Search withdrawals',
        placeholder: 'Search employee, bank or reason',
        text: search,
        onSearch: (text) => onChange({ search: text || undefined, page: undefined }, true),
      }}
      filters={
        <>
          <FilterSelect
            label="Status"
            value={status}
            options={STATUS_OPTIONS}
            onChange={(value) =>
              onChange({ status: value === 'all' ? undefined : value, page: undefined })
            }
          />
          <FilterSelect
            label="Urgency"
            value={urgency}
            options={URGENCY_OPTIONS}
            onChange={(value) =>
              onChange({ urgency: value === 'all' ? undefined : value, page: undefined })
            }
          />
        </>
      }
      end={
        <LinkButton
          href={addressOf('adminExportWithdrawals', { query: filter })}
          download="withdrawals.csv"
        >
          <Icon of={Download} size={16} />
          Export CSV
        </LinkButton>
      }
      errorTitle="Error Loading Withdrawals"
      empty={
        isFiltered ? (
          <EmptyState
            title="No withdrawals found"
            hint="Try adjusting your search or filter criteria."
          />
        ) : (
          <EmptyState title="No withdrawals yet" hint="What employees ask for shows here." />
        )
      }
      things="requests"
      onPageChange={(page) => onChange({ page: writePage(page) })}
    >
      {(table) => (
        <WithdrawalTable
          {...table}
          sort={tableSort(query)}
          onSort={({ column, direction }) =>
            onChange({
              sort: column,
              direction: direction === 'ascending' ? 'asc' : 'desc',
              page: undefined,
            })
          }
          onOpen={(id) => onChange({ request: id })}
          onDecide={onDecide}
        />
      )}
    </ListFrame>
  );
}
