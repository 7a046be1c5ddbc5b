import { useState } from 'react';
import { bankAccountList } from '#contract/lists.ts';
import { bankAccountColumns } from '#web/features/bank-accounts/admin-columns.tsx';
import { BankAccountDecision, type Deciding } from '#web/features/bank-accounts/admin-decision.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';

const WORDS = {
  label: 'Bank accounts',
  itemNoun: 'bank accounts',
  search: { label: 'Search bank accounts', placeholder: 'Search employee or bank' },
  error: 'Error Loading Bank Accounts',
  none: {
    title: 'No bank accounts waiting',
    hint: 'What employees add shows here until it is verified or rejected.',
  },
  noMatch: 'No bank accounts found',
};

/** `/admin/bank-accounts` */
export function BankAccountsPage() {
  const list = useList(bankAccountList);
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={{ status: STATUS_FILTER }}
        columns={bankAccountColumns({ now: list.paged.loadedAt, onDecide: setDeciding })}
        rowKey={({ id }) => id}
      />
      {deciding !== undefined && (
        <BankAccountDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}
