import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { billList } from '#contract/lists.ts';
import type { BILL_STATUSES } from '#contract/statuses.ts';
import { billColumns } from '#web/features/payments/admin-bill-columns.tsx';
import { AdminBillDetails } from '#web/features/payments/admin-bill-details.tsx';
import { BillDecision, type DecidingBill } from '#web/features/payments/bill-decision.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';

const WORDS = {
  label: 'Bills',
  itemNoun: 'bills',
  search: { label: 'Search bills', placeholder: 'Search employee, payee or memo' },
  error: 'Error Loading Bills',
  none: { title: 'No bills to pay', hint: 'A bill shows here on the day it is to be paid.' },
  noMatch: 'No bills found',
};

const FILTERS = {
  status: {
    ...STATUS_FILTER,
    nameOf: (status: 'waiting' | (typeof BILL_STATUSES)[number]) =>
      status === 'waiting' ? 'To pay' : STATUS_FILTER.nameOf(status),
  },
};

/** `/admin/bills`; `?bill=` opens one. */
export function BillsPage() {
  const list = useList(billList);
  const { bill } = useSearch({ from: '/admin/admin/bills' });
  const navigate = useNavigate({ from: '/admin/bills' });
  const [deciding, setDeciding] = useState<DecidingBill>();
  const open = (id: string | undefined, replace = false) =>
    void navigate({
      search: ({ bill: _, ...view }) => ({ ...view, ...(id && { bill: id }) }),
      replace,
    });

  return (
    <>
      <ScreenHead />
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={billColumns({ onOpen: ({ id }) => open(id), onDecide: setDeciding })}
        rowKey={({ id }) => id}
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
      {deciding !== undefined && (
        <BillDecision {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}
