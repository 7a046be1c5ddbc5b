import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { withdrawalList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { withdrawalColumns } from '#web/features/withdrawals/admin-columns.tsx';
import { WithdrawalDetails } from '#web/features/withdrawals/admin-details.tsx';
import { WithdrawalStats } from '#web/features/withdrawals/admin-stats.tsx';
import {
  BulkWithdrawalDecision,
  type BulkDeciding,
} from '#web/features/withdrawals/bulk-decision.tsx';
import { DECISIONS, ROW_DECISIONS, rowDecisions } from '#web/features/withdrawals/decisions.ts';
import { URGENCY_LABELS } from '#web/features/withdrawals/urgency.ts';
import {
  WithdrawalDecision,
  type Deciding,
} from '#web/features/withdrawals/withdrawal-decision.tsx';
import { sumOf } from '#web/kit/bulk-decision.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';

const WORDS = {
  label: 'Withdrawal requests',
  itemNoun: 'requests',
  search: { label: 'Search withdrawals', placeholder: 'Search employee, bank or reason' },
  error: 'Error Loading Withdrawals',
  none: { title: 'No withdrawals yet', hint: 'What employees ask for shows here.' },
  noMatch: 'No withdrawals found',
};

const FILTERS = {
  status: STATUS_FILTER,
  urgency: { label: 'Urgency', nameOf: (urgency: Urgency) => URGENCY_LABELS[urgency] },
};

/** `/admin/withdrawals`; `?request=` opens one. */
export function WithdrawalsPage() {
  const list = useList(withdrawalList);
  const { request } = useSearch({ from: '/admin/admin/withdrawals' });
  const navigate = useNavigate({ from: '/admin/withdrawals' });
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding>();
  const selection = useSelection(
    list.paged.rows,
    ({ id }) => id,
    (row) => rowDecisions(row).length > 0,
  );
  const { currency } = useCompany();
  const open = (id: string | undefined, replace = false) =>
    void navigate({
      search: ({ request: _, ...view }) => ({ ...view, ...(id && { request: id }) }),
      replace,
    });

  return (
    <>
      <ScreenHead />
      <WithdrawalStats />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={withdrawalColumns({
          selection,
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
          <SelectionBar selection={selection} sum={formatMoney(sumOf(selection.rows, currency))}>
            {ROW_DECISIONS.map((decision) => {
              const withdrawals = selection.rows.filter((row) =>
                rowDecisions(row).includes(decision),
              );
              const { label, kind } = DECISIONS[decision];
              return (
                withdrawals.length > 0 && (
                  <Button
                    key={decision}
                    kind={kind}
                    onPress={() => setBulk({ decision, withdrawals })}
                  >
                    {`${label} ${formatCount(withdrawals.length)}`}
                  </Button>
                )
              );
            })}
          </SelectionBar>
        }
      />
      {request !== undefined && (
        <WithdrawalDetails
          id={request}
          onClose={() => open(undefined)}
          onDecide={(decided) => {
            open(undefined, true);
            setDeciding(decided);
          }}
        />
      )}
      {deciding !== undefined && (
        <WithdrawalDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkWithdrawalDecision
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
