import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { AdminWithdrawal } from '#contract/api.ts';
import { withdrawalList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { withdrawalColumns } from '#web/features/withdrawals/admin-columns.tsx';
import { WithdrawalDetails } from '#web/features/withdrawals/admin-details.tsx';
import { WithdrawalStats } from '#web/features/withdrawals/admin-stats.tsx';
import {
  isToPay,
  ROW_DECISIONS,
  rowDecisions,
  type RowDecision,
} from '#web/features/withdrawals/decisions.ts';
import { URGENCY_LABELS } from '#web/features/withdrawals/urgency.ts';
import {
  WithdrawalDecision,
  type Deciding,
} from '#web/features/withdrawals/withdrawal-decision.tsx';
import { BulkButtons, type BulkDeciding } from '#web/kit/bulk-buttons.tsx';
import { BulkDecision, sumOf } from '#web/kit/bulk-decision.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { usePaidFrom } from '#web/kit/paid-from.ts';
import { PayoutDetails, PayoutDetailsButton } from '#web/kit/payout-details.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { useCompany } from '#web/lib/company.ts';

const WORDS = {
  label: 'Withdrawal requests',
  itemNoun: 'requests',
  search: { label: 'Search withdrawals', placeholder: 'Search employee, bank or reason' },
  error: 'Error Loading Withdrawals',
  none: { title: 'No withdrawals yet', hint: 'Employees’ requests appear here.' },
  noMatch: 'No withdrawals found',
};

const FILTERS = {
  status: STATUS_FILTER,
  urgency: { label: 'Urgency', nameOf: (urgency: Urgency) => URGENCY_LABELS[urgency] },
};

/** Columns next to the names in the question about several. */
const TO = bankColumn<AdminWithdrawal>({
  header: 'To',
  bank: ({ bankName: name, bankLast4: last4 }) => ({ name, last4 }),
});

/** `/admin/withdrawals`; `?request=` opens one. */
export function WithdrawalsPage() {
  const list = useList(withdrawalList);
  const { request } = useSearch({ from: '/admin/admin/withdrawals' });
  const navigate = useNavigate({ from: '/admin/withdrawals' });
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding<RowDecision, AdminWithdrawal>>();
  /** Ids of withdrawals whose bank details are open. */
  const [shown, setShown] = useState<readonly string[]>();
  const selection = useSelection(list.paged.rows, ({ id }) => id, isToPay);
  const { currency } = useCompany();
  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void navigate({
        search: ({ request: _, ...view }) => ({ ...view, ...(id && { request: id }) }),
        replace,
      }),
    [navigate],
  );
  const paidFrom = usePaidFrom(list.paged.rows);
  const columns = useMemo(
    () => withdrawalColumns({ paidFrom, onOpen: ({ id }) => open(id), onDecide: setDeciding }),
    [paidFrom, open],
  );

  return (
    <>
      <ScreenHead />
      <WithdrawalStats />
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
          <SelectionBar
            state={list}
            selection={selection}
            sum={formatMoney(sumOf(selection.rows, currency))}
          >
            <PayoutDetailsButton
              count={selection.rows.length}
              onPress={() => setShown(selection.rows.map(({ id }) => id))}
            />
            <BulkButtons
              thing={withdrawal}
              acts={ROW_DECISIONS}
              rows={selection.rows}
              may={(row, act) => rowDecisions(row).includes(act)}
              onPress={setBulk}
            />
          </SelectionBar>
        }
      />
      {request !== undefined && (
        <WithdrawalDetails
          id={request}
          onClose={() => open(undefined)}
          onShowDetails={() => {
            open(undefined, true);
            setShown([request]);
          }}
          onDecide={(decided) => {
            open(undefined, true);
            setDeciding(decided);
          }}
        />
      )}
      {shown !== undefined && (
        <PayoutDetails
          operation="adminRevealWithdrawals"
          ids={shown}
          noun="withdrawal"
          onClose={() => setShown(undefined)}
        />
      )}
      {deciding !== undefined && (
        <WithdrawalDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkDecision
          thing={withdrawal}
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
