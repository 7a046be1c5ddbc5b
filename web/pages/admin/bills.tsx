import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { AdminBill } from '#contract/api.ts';
import { billList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import type { BILL_STATUSES } from '#contract/statuses.ts';
import { bill as billThing } from '#contract/things/bill.ts';
import { billColumns } from '#web/features/payments/admin-bill-columns.tsx';
import { AdminBillDetails } from '#web/features/payments/admin-bill-details.tsx';
import {
  BillDecision,
  billDecisions,
  isToPay,
  ROW_DECISIONS,
  type DecidingBill,
} from '#web/features/payments/bill-decision.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { BulkButtons, type BulkDeciding } from '#web/kit/bulk-buttons.tsx';
import { BulkDecision, sumOf } from '#web/kit/bulk-decision.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { usePaidFrom } from '#web/kit/paid-from.ts';
import { PayoutDetails, PayoutDetailsButton } from '#web/kit/payout-details.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { useSelection } from '#web/kit/use-selection.ts';
import { useCompany } from '#web/lib/company.ts';

const WORDS = {
  label: 'Bills',
  itemNoun: 'bills',
  search: { label: 'Search bills', placeholder: 'Search employee, payee or memo' },
  error: 'Error Loading Bills',
  none: { title: 'No bills to pay', hint: 'A bill appears here on the day it is due to be paid.' },
  noMatch: 'No bills found',
};

const FILTERS = {
  status: {
    ...STATUS_FILTER,
    nameOf: (status: 'waiting' | (typeof BILL_STATUSES)[number]) =>
      status === 'waiting' ? 'To pay' : STATUS_FILTER.nameOf(status),
  },
};

/** Column next to the names in the question about several. */
const PAYEE = bankColumn<AdminBill>({ header: 'Payee', bank: ({ payee }) => payee });

/** `/admin/bills`; `?bill=` opens one. */
export function BillsPage() {
  const list = useList(billList);
  const { bill } = useSearch({ from: '/admin/admin/bills' });
  const navigate = useNavigate({ from: '/admin/bills' });
  const [deciding, setDeciding] = useState<DecidingBill>();
  const [bulk, setBulk] = useState<BulkDeciding<(typeof ROW_DECISIONS)[number], AdminBill>>();
  /** Ids of bills whose bank details are open. */
  const [shown, setShown] = useState<readonly string[]>();
  const selection = useSelection(list.paged.rows, ({ id }) => id, isToPay);
  const { currency } = useCompany();
  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void navigate({
        search: ({ bill: _, ...view }) => ({ ...view, ...(id && { bill: id }) }),
        replace,
      }),
    [navigate],
  );
  const paidFrom = usePaidFrom(list.paged.rows);
  const columns = useMemo(
    () => billColumns({ paidFrom, onOpen: ({ id }) => open(id), onDecide: setDeciding }),
    [paidFrom, open],
  );

  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={columns}
        rowKey={({ id }) => id}
        selection={selection}
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
              thing={billThing}
              acts={ROW_DECISIONS}
              rows={selection.rows}
              may={(row, act) => billDecisions(row, { isRow: true }).includes(act)}
              onPress={setBulk}
            />
          </SelectionBar>
        }
      />
      {bill !== undefined && (
        <AdminBillDetails
          id={bill}
          onClose={() => open(undefined)}
          onDecide={(decided) => {
            open(undefined, true);
            setDeciding(decided);
          }}
        />
      )}
      {shown !== undefined && (
        <PayoutDetails
          operation="adminRevealBills"
          ids={shown}
          noun="bill"
          onClose={() => setShown(undefined)}
        />
      )}
      {deciding !== undefined && (
        <BillDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkDecision
          thing={billThing}
          columns={[PAYEE]}
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
