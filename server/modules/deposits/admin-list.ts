import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { methodName } from '#contract/deposits.ts';
import { depositList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { thingRows } from '#server/modules/acts/index.ts';
import { presentAdminDeposit } from './present.ts';
import { selectRows } from './rows.ts';
import type { DepositRow } from './rows.ts';
import { deposits } from './deposit.ts';

const ID = key(sql`deposit.id`, 'uuid');
const REQUESTED = key(sql`deposit.requested_at`, 'instant');
const AMOUNT = key(sql`deposit.amount_minor`, 'whole');

/** Orders, each that of an index. */
const NEWEST = descending(REQUESTED, ID);
const OLDEST = ascending(REQUESTED, ID);

/** Deposits of everyone: as a queue pending ones come first, oldest first, and all others after them. */
export const adminDeposits = readsList(depositList, {
  from: () => [sql`deposit`],
  id: sql`deposit.id`,
  where: {
    person: (id) => sql`deposit.user_id = ${id}`,
    status: (status) => sql`deposit.status = ${status}`,
    method: (method) => sql`deposit.method = ${method}`,
  },
  search: {
    words: sql`deposit.search_words`,
    amount: sql`deposit.amount_minor`,
    person: 'deposit.user_id',
  },
  sorts: { submitted: [REQUESTED, ID], amount: [AMOUNT, ID] },
  segments: ({ status }) => {
    if (status === 'pending') return [{ order: OLDEST }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`deposit.status = 'pending'`, order: OLDEST },
      { where: sql`deposit.status <> 'pending'`, order: NEWEST },
    ];
  },
  ...thingRows(deposits, 'admin', selectRows),
  present: presentAdminDeposit,
  csv: [
    {
      header: 'Date',
      cell: ({ requestedAt }, { timeZone }) => plainCell(dayIn(timeZone, requestedAt)),
    },
    { header: 'Employee', cell: ({ employeeName }) => textCell(employeeName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Method', cell: ({ method, currency }) => plainCell(methodName(method, currency)) },
    { header: 'Account', cell: (row) => plainCell(WALLET_LABELS[row.walletType]) },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Fee', cell: ({ feeMinor }) => plainCell(decimalAmount(feeMinor)) },
    { header: 'Description', cell: ({ description }) => textCell(description) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Decided by', cell: ({ deciderName }) => textCell(deciderName ?? '') },
    { header: 'Rejection reason', cell: (row) => textCell(row.rejectionReason ?? '') },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    ...momentColumns('Requested', ({ requestedAt }: DepositRow) => requestedAt),
    ...momentColumns('Approved', (row: DepositRow) =>
      row.status === 'approved' ? row.movedAt : null,
    ),
    ...momentColumns('Closed', (row: DepositRow) =>
      row.status === 'approved' ? null : row.movedAt,
    ),
  ],
});
