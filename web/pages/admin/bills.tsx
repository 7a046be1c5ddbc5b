import { billList } from '#contract/lists.ts';
import type { BILL_STATUSES } from '#contract/statuses.ts';
import { bill } from '#contract/things/bill.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import { billFacts, ReturnedBefore } from '#web/features/payments/bill-facts.tsx';
import { billRail } from '#web/features/payments/bill-rail.ts';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';

const DESK = defineDesk(bill, billList, 'adminGetBill', {
  opened: 'bill',
  search: 'Search employee, payee or memo',
  none: {
    title: 'No bills to pay',
    hint: 'A bill appears here on the day it is due to be paid.',
  },
  filters: {
    status: {
      ...STATUS_FILTER,
      nameOf: (status: 'waiting' | (typeof BILL_STATUSES)[number]) =>
        status === 'waiting' ? 'To pay' : STATUS_FILTER.nameOf(status),
    },
  },
  columns: [bankColumn({ header: 'Payee', narrow: 'hidden', bank: ({ payee }) => payee })],
  time: { header: 'Pays on', at: ({ payOn }) => payOn, as: 'day' },
  target: { header: 'Payee', of: ({ payee }) => payee },
  rail: (one) => billRail(one, 'admin'),
  facts: billFacts,
  payer: 'Payee',
  below: (one) => <ReturnedBefore bill={one} />,
  leavesBy: 'send',
  reveal: 'adminRevealBills',
});

/** `/admin/bills`; `?bill=` opens one. */
export function BillsPage() {
  return <DeskPage desk={DESK} />;
}
