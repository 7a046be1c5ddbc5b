import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountList } from '#contract/lists.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { bankAccountColumns, isOpen } from '#web/features/bank-accounts/admin-columns.tsx';
import {
  BankAccountDecision,
  DECISIONS,
  isPlain,
  type Deciding,
  type DecisionName,
} from '#web/features/bank-accounts/admin-decision.tsx';
import { BankAccountDetails } from '#web/features/bank-accounts/admin-details.tsx';
import { HolderCell } from '#web/features/bank-accounts/holder-check.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import type { BulkDeciding } from '#web/kit/bulk-buttons.tsx';
import { BulkDecision } from '#web/kit/bulk-decision.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import type { Column } from '#web/ui/table.tsx';

const WORDS = {
  label: 'Bank accounts',
  itemNoun: 'bank accounts',
  search: { label: 'Search bank accounts', placeholder: 'Search employee or bank' },
  error: 'Error Loading Bank Accounts',
  none: {
    title: 'No bank accounts waiting',
    hint: 'Bank accounts appear here until they are verified or rejected.',
  },
  noMatch: 'No bank accounts found',
};

/** Columns next to the names in the question about several. */
const BULK_COLUMNS: readonly Column<AdminBankAccount>[] = [
  bankColumn({
    header: 'Bank',
    bank: ({ bankName: name, accountNumberLast4: last4 }) => ({ name, last4 }),
  }),
  {
    id: 'holder',
    header: 'Account holder',
    cell: (account) => <HolderCell account={account} />,
  },
];

/** `/admin/bank-accounts`; `?account=` opens one. */
export function BankAccountsPage() {
  const list = useList(bankAccountList);
  const { account } = useSearch({ from: '/admin/admin/bank-accounts' });
  const navigate = useNavigate({ from: '/admin/bank-accounts' });
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding<DecisionName, AdminBankAccount>>();
  const selection = useSelection(list.paged.rows, ({ id }) => id, isOpen);
  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void navigate({
        search: ({ account: _, ...view }) => ({ ...view, ...(id && { account: id }) }),
        replace,
      }),
    [navigate],
  );
  const now = list.paged.loadedAt;
  const columns = useMemo(
    () => bankAccountColumns({ now, onOpen: ({ id }) => open(id), onDecide: setDeciding }),
    [now, open],
  );
  const plain = selection.rows.filter(isPlain);
  const inDoubt = selection.rows.length - plain.length;
  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={{ status: STATUS_FILTER }}
        columns={columns}
        rowKey={({ id }) => id}
        selection={selection}
        summary={
          list.address.person !== '' && (
            <PersonAlone id={list.address.person} onAll={() => list.change({ person: '' })} />
          )
        }
        below={
          <SelectionBar
            state={list}
            selection={selection}
            note={
              inDoubt === 0
                ? undefined
                : `${formatCount(inDoubt)} must be verified one by one, because the holder’s name differs or the account is shared`
            }
          >
            <Button onPress={() => setBulk({ act: 'reject', rows: selection.rows })}>
              {`${DECISIONS.reject.label} ${formatCount(selection.rows.length)}`}
            </Button>
            {plain.length > 0 && (
              <Button kind="solid" onPress={() => setBulk({ act: 'verify', rows: plain })}>
                {`${DECISIONS.verify.label} ${formatCount(plain.length)}`}
              </Button>
            )}
          </SelectionBar>
        }
      />
      {account !== undefined && (
        <BankAccountDetails
          id={account}
          onClose={() => open(undefined)}
          onDecide={(decided) => {
            open(undefined, true);
            setDeciding(decided);
          }}
        />
      )}
      {deciding !== undefined && (
        <BankAccountDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkDecision
          thing={bankAccount}
          columns={BULK_COLUMNS}
          {...bulk}
          onClose={() => {
            setBulk(undefined);
            selection.clear();
          }}
        />
      )}
    </>
  );
}
