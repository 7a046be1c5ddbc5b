import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminBankAccount } from '#contract/api.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import {
  BankAccountDecisionDialog,
  type BankAccountDecision,
} from '#web/features/bank-accounts/admin-decision.tsx';
import {
  DEFAULT_STATUS,
  STATUS_OPTIONS,
  readBankAccountQuery,
  type BankAccountSearch,
} from '#web/features/bank-accounts/admin-filter.ts';
import { BankAccountTable } from '#web/features/bank-accounts/admin-table.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { changed, writePage, type Changes } from '#web/lib/address.ts';
import { useTypedSearch } from '#web/lib/typing.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FilterSelect } from '#web/ui/select.tsx';

interface Deciding {
  decision: BankAccountDecision;
  account: AdminBankAccount;
}

/** `/admin/bank-accounts` */
export function BankAccountsPage() {
  const session = useSession();
  const address = useSearch({ from: '/admin/admin/bank-accounts' });
  const navigate = useNavigate({ from: '/admin/bank-accounts' });
  const [deciding, setDeciding] = useState<Deciding>();
  const query = readBankAccountQuery(address);
  const list = useQuery({
    ...apiQuery('adminListBankAccounts', { query }),
    placeholderData: keepPreviousData,
  });

  function change(changes: Changes<BankAccountSearch>, replace = false): void {
    void navigate({ search: (current) => changed(current, changes), replace });
  }

  const [typed, type] = useTypedSearch(query.search, (text) =>
    change({ search: text || undefined, page: undefined }, true),
  );

  function instead() {
    if (list.isError) {
      return (
        <ErrorState
          title="Error Loading Bank Accounts"
          message={errorMessage(list.error, 'Please try again.')}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      );
    }
    if (list.data?.items.length !== 0) return undefined;
    return query.status === DEFAULT_STATUS && query.search === '' ? (
      <EmptyState
        title="No bank accounts waiting"
        hint="What employees add shows here until it is verified or rejected."
      />
    ) : (
      <EmptyState
        title="No bank accounts found"
        hint="Try adjusting your search or filter criteria."
      />
    );
  }

  return (
    <>
      <div className="page-head">
        <PageTitle>Bank Account Verification</PageTitle>
      </div>
      <div className="toolbar">
        <SearchField
          label="Search bank accounts"
          placeholder="Search employee or bank"
          value={typed}
          onChange={type}
        />
        <FilterSelect
          label="Status"
          value={query.status}
          options={STATUS_OPTIONS}
          onChange={(status) =>
            change({ status: status === DEFAULT_STATUS ? undefined : status, page: undefined })
          }
        />
      </div>
      <BankAccountTable
        rows={list.data?.items ?? []}
        timeZone={session.data?.company.timeZone ?? 'UTC'}
        now={list.dataUpdatedAt}
        onDecide={(decision, account) => setDeciding({ decision, account })}
        isLoading={list.isPending}
        instead={instead()}
      />
      {list.data !== undefined && (
        <Pagination
          page={list.data.page}
          pageSize={list.data.pageSize}
          total={list.data.total}
          things="bank accounts"
          onPageChange={(page) => change({ page: writePage(page) })}
        />
      )}
      {deciding !== undefined && (
        <BankAccountDecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}
