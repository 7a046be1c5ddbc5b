import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { AdminDeposit } from '#contract/api.ts';
import { DEPOSIT_METHODS, type DepositMethodId } from '#contract/deposits.ts';
import { depositList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import { deposit as depositThing } from '#contract/things/deposit.ts';
import { depositColumns, isOpen } from '#web/features/deposits/admin-columns.tsx';
import { AdminDepositDetails } from '#web/features/deposits/admin-details.tsx';
import { DepositStats } from '#web/features/deposits/admin-stats.tsx';
import {
  DepositDecision,
  type Deciding,
  type DecisionName,
} from '#web/features/deposits/deposit-decision.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import type { BulkDeciding } from '#web/kit/bulk-buttons.tsx';
import { BulkDecision, sumOf } from '#web/kit/bulk-decision.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';

const WORDS = {
  label: 'Deposit requests',
  itemNoun: 'deposits',
  search: { label: 'Search deposits', placeholder: 'Search employee, description or reference' },
  error: 'Error Loading Deposits',
  none: {
    title: 'No pending deposits',
    hint: 'Deposits appear here until they are approved or rejected.',
  },
  noMatch: 'No deposits found',
};

const FILTERS = {
  status: STATUS_FILTER,
  method: { label: 'Method', nameOf: (method: DepositMethodId) => DEPOSIT_METHODS[method].name },
};

/** Columns next to the names in the question about several. */
const TO = bankColumn<AdminDeposit>({
  header: 'To',
  bank: ({ walletName: name, walletLast4: last4 }) => ({ name, last4 }),
});

/** `/admin/deposits`; `?deposit=` opens one. */
export function DepositsPage() {
  const list = useList(depositList);
  const { deposit } = useSearch({ from: '/admin/admin/deposits' });
  const navigate = useNavigate({ from: '/admin/deposits' });
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding<DecisionName, AdminDeposit>>();
  const selection = useSelection(list.paged.rows, ({ id }) => id, isOpen);
  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void navigate({
        search: ({ deposit: _, ...view }) => ({ ...view, ...(id && { deposit: id }) }),
        replace,
      }),
    [navigate],
  );
  const columns = useMemo(
    () => depositColumns({ onOpen: ({ id }) => open(id), onDecide: setDeciding }),
    [open],
  );
  const decideAll = (act: DecisionName) => setBulk({ act, rows: selection.rows });
  const total = formatMoney(sumOf(selection.rows, useCompany().currency));

  return (
    <>
      <ScreenHead />
      <DepositStats />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={columns}
        rowKey={({ id }) => id}
        selection={selection}
        summary={
          list.address.person !== '' && (
            <PersonAlone id={list.address.person} onAll={() => list.change({ person: '' })} />
          )
        }
        below={
          <SelectionBar state={list} selection={selection} sum={total}>
            <Button onPress={() => decideAll('reject')}>Reject</Button>
            <Button kind="money" onPress={() => decideAll('approve')}>
              {`Approve ${counted(selection.rows.length, 'Deposit')} ${total}`}
            </Button>
          </SelectionBar>
        }
      />
      {deposit !== undefined && (
        <AdminDepositDetails
          id={deposit}
          onClose={() => open(undefined)}
          onDecide={(decided) => {
            open(undefined, true);
            setDeciding(decided);
          }}
        />
      )}
      {deciding !== undefined && (
        <DepositDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkDecision
          thing={depositThing}
          columns={[TO]}
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
