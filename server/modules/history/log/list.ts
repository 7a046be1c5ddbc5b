import { sql } from 'kysely';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { transactionList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { presentLogged } from './present.ts';
import { readLogRows } from './rows.ts';
import type { LogRow } from './rows.ts';
import type { LogScope } from './scope.ts';
import { LOG_CONDITIONS, sourcesOf } from './sources.ts';

const NEWEST = descending(key(sql`event.at`, 'instant'), key(sql`event.id`, 'uuid'));

/** Everything that happened with anyone's money (docs/decisions/025). */
export const transactionLog = readsList(transactionList, {
  from: sourcesOf,
  id: sql`event.id`,
  where: {
    ...LOG_CONDITIONS,
    // These choose the sources.
    person: () => sql`true`,
    type: () => sql`true`,
    status: () => sql`true`,
  },
  search: 'in the sources',
  segments: () => [{ order: NEWEST }],
  rows: readLogRows,
  present: (row: LogRow, _scope: LogScope) => presentLogged(row),
  csv: [
    { header: 'Time', cell: ({ at }) => plainCell(at.toISOString()) },
    { header: 'Employee', cell: ({ employeeName }) => textCell(employeeName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Type', cell: ({ type }) => plainCell(TRANSACTION_TYPE_LABELS[type]) },
    { header: 'Description', cell: ({ description }) => textCell(description) },
    { header: 'Account', cell: ({ accountType }) => plainCell(accountType) },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Transaction ID', cell: ({ id }) => plainCell(id) },
  ],
});
