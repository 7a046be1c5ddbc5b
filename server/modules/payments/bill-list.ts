import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { billList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { bill } from '#contract/things/bill.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { lastAct, momentOf, thingRows } from '#server/modules/acts/index.ts';
import { bills } from './bill.ts';
import { presentAdminBill } from './present-bill.ts';
import { selectBills } from './bill-rows.ts';
import type { BillRow } from './bill-rows.ts';

const ID = key(sql`bill.id`, 'uuid');
const NEWEST = descending(key(sql`bill.requested_at`, 'instant'), ID);
const FIRST_TO_PAY = ascending(key(sql`bill.pay_on`, 'day'), ID);

/** Bills of everyone: as a queue those that an admin has to act on come first, and all others after. */
export const adminBills = readsList(billList, {
  from: () => [sql`bill`],
  id: sql`bill.id`,
  where: {
    status: (status) =>
      status === 'waiting' ? sql`bill.status IN ('due', 'sent')` : sql`bill.status = ${status}`,
  },
  search: {
    words: sql`bill.search_words`,
    amount: sql`bill.amount_minor`,
    person: 'bill.user_id',
  },
  segments: ({ status }) => {
    if (status === 'waiting') return [{ order: FIRST_TO_PAY }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`bill.status IN ('due', 'sent')`, order: FIRST_TO_PAY },
      { where: sql`bill.status NOT IN ('due', 'sent')`, order: NEWEST },
    ];
  },
  ...thingRows(bills, 'admin', selectBills),
  present: presentAdminBill,
  csv: [
    {
      header: 'Date',
      cell: ({ requestedAt }, { timeZone }) => plainCell(dayIn(timeZone, requestedAt)),
    },
    { header: 'Employee', cell: ({ employeeName }) => textCell(employeeName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Payee', cell: ({ payeeName }) => textCell(payeeName) },
    { header: 'Payee account', cell: ({ payeeLast4 }) => plainCell(`••${payeeLast4}`) },
    { header: 'Customer number', cell: (row) => textCell(row.customerNumber ?? '') },
    { header: 'Account', cell: (row) => plainCell(WALLET_LABELS[row.walletType]) },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Pay on', cell: ({ payDay }) => plainCell(payDay) },
    { header: 'Due on', cell: ({ dueDay }) => plainCell(dueDay ?? '') },
    { header: 'Memo', cell: ({ memo }) => textCell(memo) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Sent by', cell: (row) => textCell(lastAct(bill, row, 'send')?.by ?? '') },
    { header: 'Completed by', cell: (row) => textCell(lastAct(bill, row, 'complete')?.by ?? '') },
    { header: 'Reason', cell: ({ rejectionReason }) => textCell(rejectionReason ?? '') },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Transaction', cell: (row) => plainCell(row.transactionReference ?? '') },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    ...momentColumns('Requested', ({ requestedAt }: BillRow) => requestedAt),
    ...momentColumns('Due', momentOf(bill, 'take')),
    ...momentColumns('Sent', momentOf(bill, 'send')),
    ...momentColumns('Paid', momentOf(bill, 'complete')),
    ...momentColumns('Closed', momentOf(bill, 'cancel', 'change', 'stop', 'return')),
    { header: 'Left the bank on', cell: ({ leftBankDay }) => plainCell(leftBankDay ?? '') },
    { header: 'Bank reference', cell: ({ bankReference }) => textCell(bankReference ?? '') },
  ],
});
