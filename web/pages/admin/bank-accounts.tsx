import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminBankAccount } from '#contract/api.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { apiQuery } from '#web/api/query.ts';
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
import { changed, writePage, type Changes } from '#web/lib/address.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { FilterSelect } from '#web/ui/select.tsx';

interface Deciding {
  decision: BankAccountDecision;
  account: AdminBankAccount;
}

/** `/admin/bank-accounts` */
export function BankAccountsPage() {
  const address = useSearch({ from: '/admin/admin/bank-accounts' });
  const navigate = useNavigate({ from: '/admin/bank-accounts' });
  const [deciding, setDeciding] = useState<Deciding>();
  const query = readBankAccountQuery(address);
  const { search, status } = query;
  const list = usePagedList(
    apiQuery('adminListBankAccounts', { query }),
    apiQuery('adminCountBankAccounts', { query: { search, status } }),
  );

  function change(changes: Changes<BankAccountSearch>, replace = false): void {
    void navigate({ search: (current) => changed(current, changes), replace });
  }

  return (
    <>
      <div className="page-head">
        <PageTitle>Bank Account Verification</PageTitle>
      </div>
      <ListFrame
        list={list}
        search={{
          label: 'Search bank accounts',
          placeholder: 'Search employee or bank',
          text: search,
          onSearch: (text) => change({ search: text || undefined, page: undefined }, true),
        }}
        filters={
          <FilterSelect
            label="Status"
            value={status}
            options={STATUS_OPTIONS}
            onChange={(value) =>
              change({ status: value === DEFAULT_STATUS ? undefined : value, page: undefined })
            }
          />
        }
        errorTitle="Error Loading Bank Accounts"
        empty={
          status === DEFAULT_STATUS && search === '' ? (
            <EmptyState
              title="No bank accounts waiting"
              hint="What employees add shows here until it is verified or rejected."
            />
          ) : (
            <EmptyState
              title="No bank accounts found"
              hint="Try adjusting your search or filter criteria."
            />
          )
        }
        things="bank accounts"
        onPageChange={(page) => change({ page: writePage(page) })}
      >
        {(table) => (
          <BankAccountTable
            {...table}
            now={list.loadedAt}
            onDecide={(decision, account) => setDeciding({ decision, account })}
          />
        )}
      </ListFrame>
      {deciding !== undefined && (
        <BankAccountDecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}
