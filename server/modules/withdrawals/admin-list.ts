import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { withdrawalList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentAdminWithdrawal } from './present.ts';
import { readRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';

const ID = key(sql`withdrawal.id`, 'uuid');
const REQUESTED = key(sql`withdrawal.requested_at`, 'instant');
const AMOUNT = key(sql`withdrawal.amount_minor`, 'whole');
const URGENCY = key(sql`withdrawal.urgency_rank`, 'whole');

/** Orders, each that of an index. */
const NEWEST = descending(REQUESTED, ID);
const URGENT_THEN_OLDEST = [...descending(URGENCY), ...ascending(REQUESTED, ID)];

/** The table's `urgency_rank`, which its indexes have instead of the word. */
const URGENCY_RANKS: Record<Urgency, number> = { low: 1, medium: 2, high: 3 };

/** Withdrawals of everyone: as a queue pending ones come first, and all others after them. */
export const adminWithdrawals = readsList(withdrawalList, {
  from: () => [sql`withdrawal`],
  id: sql`withdrawal.id`,
  where: {
    person: (id) => sql`withdrawal.user_id = ${id}`,
    status: (status) => sql`withdrawal.status = ${status}`,
    urgency: (urgency) => sql`withdrawal.urgency_rank = ${URGENCY_RANKS[urgency]}`,
  },
  search: {
    // The expression of the index `withdrawal_search`.
    words: sql`(withdrawal.bank_name || ' ' || withdrawal.reason || ' ' || withdrawal.reference)`,
    person: 'withdrawal.user_id',
  },
  sorts: { submitted: [REQUESTED, ID], amount: [AMOUNT, ID] },
  segments: ({ status }) => {
    if (status === 'pending') return [{ order: URGENT_THEN_OLDEST }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`withdrawal.status = 'pending'`, order: URGENT_THEN_OLDEST },
      { where: sql`withdrawal.status <> 'pending'`, order: NEWEST },
    ];
  },
  rows: readRows,
  present: (row: WithdrawalRow, settings: CompanySettings) => presentAdminWithdrawal(row, settings),
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
  ],
});
