import type { AdminBill } from '#contract/api.ts';
import { billList } from '#contract/lists.ts';
import type { BILL_STATUSES } from '#contract/statuses.ts';
import { bill } from '#contract/things/bill.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import { billFacts, ReturnedBefore } from '#web/features/payments/bill-facts.tsx';
import { billRail } from '#web/features/payments/bill-rail.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { formatDay } from '#web/lib/format.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Money } from '#web/ui/money.tsx';

const DESK = defineDesk(bill, billList, 'adminGetBill', {
  opened: 'bill',
  reveal: 'adminRevealBills',
  leavesBy: 'send',
  words: {
    label: 'Bills',
    itemNoun: 'bills',
    search: { label: 'Search bills', placeholder: 'Search employee, payee or memo' },
    none: {
      title: 'No bills to pay',
      hint: 'A bill appears here on the day it is due to be paid.',
    },
    noMatch: 'No bills found',
  },
  filters: {
    status: {
      ...STATUS_FILTER,
      nameOf: (status: 'waiting' | (typeof BILL_STATUSES)[number]) =>
        status === 'waiting' ? 'To pay' : STATUS_FILTER.nameOf(status),
    },
  },
  columns: [
    bankColumn({ header: 'Payee', narrow: 'hidden', bank: (row) => row.payee }),
    {
      id: 'payOn',
      header: 'Pays on',
      narrow: 'start-second',
      cell: ({ payOn }) => <span className="muted nowrap">{formatDay(payOn, 'date')}</span>,
    },
  ],
  target: { header: 'Payee', of: ({ payee }) => payee },
  line: ({ walletName, payee }) => `${walletName} to ${payee.name} ••${payee.last4}`,
  rail: (one) => billRail(one, 'admin'),
  facts: billFacts,
  payer: (one) => ({
    context: one.context,
    payableFrom: one.status === 'due' ? stillCoolingOff(one) : null,
    to: 'Payee',
  }),
  below: (one) => <ReturnedBefore bill={one} />,
  sentence: ({ amount, employee, payee }: AdminBill) => (
    <>
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {payee.name}{' '}
      ••{payee.last4}.
    </>
  ),
});

/** `/admin/bills`; `?bill=` opens one. */
export function BillsPage() {
  return (
    <>
      <ScreenHead />
      <DeskPage desk={DESK} />
    </>
  );
}
