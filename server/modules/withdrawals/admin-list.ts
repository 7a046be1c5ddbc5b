import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { withdrawalList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import { lastAct, momentOf, thingRows } from '#server/modules/acts/index.ts';
import { presentAdminWithdrawal } from './present.ts';
import { selectRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';
import { withdrawals } from './withdrawal.ts';

const ID = key(sql`withdrawal.id`, 'uuid');
const REQUESTED = key(sql`withdrawal.requested_at`, 'instant');
const AMOUNT = key(sql`withdrawal.amount_minor`, 'whole');
const URGENCY = key(sql`withdrawal.urgency_rank`, 'whole');

/** Orders, each that of an index. */
const NEWEST = descending(REQUESTED, ID);
const URGENT_THEN_OLDEST = [...descending(URGENCY), ...ascending(REQUESTED, ID)];

/** The table's `urgency_rank`, which its indexes have instead of the word. */
const URGENCY_RANKS: Record<Urgency, number> = { low: 1, medium: 2, high: 3 };

/** Statuses in which an admin has the next step. */
const TO_BE_PAID: readonly string[] = ['pending', 'approved', 'processing'];
/** The same as literals, as the partial indexes have them. */
const OPEN = sql.join(TO_BE_PAID.map((status) => sql.lit(status)));

/** Withdrawals of everyone: those to be paid come first, the most urgent on top, then all others. */
export const adminWithdrawals = readsList(withdrawalList, {
  from: () => [sql`withdrawal`],
  id: sql`withdrawal.id`,
  where: {
    person: (id) => sql`withdrawal.user_id = ${id}`,
    status: (status) => sql`withdrawal.status = ${status}`,
    urgency: (urgency) => sql`withdrawal.urgency_rank = ${URGENCY_RANKS[urgency]}`,
  },
  search: {
    words: sql`withdrawal.search_words`,
    amount: sql`withdrawal.amount_minor`,
    person: 'withdrawal.user_id',
  },
  sorts: { submitted: [REQUESTED, ID], amount: [AMOUNT, ID] },
  segments: ({ status }) => {
    if (TO_BE_PAID.includes(status)) return [{ order: URGENT_THEN_OLDEST }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`withdrawal.status IN (${OPEN})`, order: URGENT_THEN_OLDEST },
      { where: sql`withdrawal.status NOT IN (${OPEN})`, order: NEWEST },
    ];
  },
  ...thingRows(withdrawals, 'admin', selectRows),
  present: presentAdminWithdrawal,
  csv: [
    {
      header: 'Date',
      cell: ({ requestedAt }, { timeZone }) => plainCell(dayIn(timeZone, requestedAt)),
    },
    { header: 'Employee', cell: ({ employeeName }) => textCell(employeeName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Urgency', cell: ({ urgency }) => plainCell(urgency) },
    {
      header: 'Bank',
      cell: ({ bankName, bankLast4 }) => textCell(bankLabel({ bankName, last4: bankLast4 })),
    },
    { header: 'Reason', cell: ({ reason }) => textCell(reason) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Transaction', cell: (row) => plainCell(row.transactionReference ?? '') },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    ...momentColumns('Requested', ({ requestedAt }: WithdrawalRow) => requestedAt),
    ...momentColumns('Approved', momentOf(withdrawal, 'approve')),
    {
      header: 'Approved by',
      cell: (row) => textCell(lastAct(withdrawal, row, 'approve')?.by ?? ''),
    },
    ...momentColumns('Sent', momentOf(withdrawal, 'startProcessing')),
    ...momentColumns('Paid', momentOf(withdrawal, 'complete')),
    { header: 'Paid by', cell: (row) => textCell(lastAct(withdrawal, row, 'complete')?.by ?? '') },
    ...momentColumns('Closed', momentOf(withdrawal, 'cancel', 'reject', 'stop', 'return')),
    { header: 'Rejection reason', cell: (row) => textCell(row.rejectionReason ?? '') },
    { header: 'Left the bank on', cell: ({ leftBankDay }) => plainCell(leftBankDay ?? '') },
    { header: 'Bank reference', cell: ({ bankReference }) => textCell(bankReference ?? '') },
  ],
});
