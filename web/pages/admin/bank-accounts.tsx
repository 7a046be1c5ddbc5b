import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { bankAccountList } from '#contract/lists.ts';
import { bankAccountColumns, isOpen } from '#web/features/bank-accounts/admin-columns.tsx';
import {
  BankAccountDecision,
  DECISIONS,
  type Deciding,
} from '#web/features/bank-accounts/admin-decision.tsx';
import { BankAccountDetails } from '#web/features/bank-accounts/admin-details.tsx';
import {
  BulkBankAccountDecision,
  isPlain,
  type BulkDeciding,
} from '#web/features/bank-accounts/bulk-decision.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';

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

/** `/admin/bank-accounts`; `?account=` opens one. */
export function BankAccountsPage() {
  const list = useList(bankAccountList);
  const { account } = useSearch({ from: '/admin/admin/bank-accounts' });
  const navigate = useNavigate({ from: '/admin/bank-accounts' });
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding>();
  const selection = useSelection(list.paged.rows, ({ id }) => id, isOpen);
  const open = (id: string | undefined, replace = false) =>
    void navigate({
      search: ({ account: _, ...view }) => ({ ...view, ...(id && { account: id }) }),
      replace,
    });
  const plain = selection.rows.filter(isPlain);
  const inDoubt = selection.rows.length - plain.length;
  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={{ status: STATUS_FILTER }}
        columns={bankAccountColumns({
          selection,
          now: list.paged.loadedAt,
          onOpen: ({ id }) => open(id),
          onDecide: setDeciding,
        })}
        rowKey={({ id }) => id}
        isSelected={selection.has}
        summary={
          list.address.person !== '' && (
            <PersonAlone id={list.address.person} onAll={() => list.change({ person: '' })} />
          )
        }
        below={
          <SelectionBar
            selection={selection}
            note={
              inDoubt === 0
                ? undefined
                : `${formatCount(inDoubt)} to be verified by itself: another name, or shared`
            }
          >
            <Button onPress={() => setBulk({ decision: 'reject', accounts: selection.rows })}>
              {`${DECISIONS.reject.label} ${formatCount(selection.rows.length)}`}
            </Button>
            {plain.length > 0 && (
              <Button kind="solid" onPress={() => setBulk({ decision: 'verify', accounts: plain })}>
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
        <BulkBankAccountDecision
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
