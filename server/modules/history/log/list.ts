import { sql } from 'kysely';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { transactionList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { momentColumnsIn } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { endOfDay } from '../days.ts';
import { readExportRows } from './origins.ts';
import { presentLogged } from './present.ts';
import { readLogRows } from './rows.ts';
import type { LogRow } from './rows.ts';
import type { LogScope } from './scope.ts';
import { isOfSearchedAmount, LOG_CONDITIONS, sourcesOf } from './sources.ts';

const NEWEST = descending(key(sql`event.at`, 'instant'), key(sql`event.id`, 'uuid'));

/** All movements of everyone's money (docs/decisions/025). */
export const transactionLog = readsList(transactionList, {
  from: sourcesOf,
  id: sql`event.id`,
  within: isOfSearchedAmount,
  where: {
    ...LOG_CONDITIONS,
    // `sourcesOf` applies these filters.
    person: () => sql`true`,
    type: () => sql`true`,
    status: () => sql`true`,
  },
  search: 'in the sources',
  endOfDay: (day, { settings }) => endOfDay(day, settings.timeZone),
  segments: () => [{ order: NEWEST }],
  rows: readLogRows,
  present: (row: LogRow, _scope: LogScope) => presentLogged(row),
  csvRows: readExportRows,
  csv: [
    {
      header: 'Date',
      cell: ({ at }, { settings }) => plainCell(dayIn(settings.timeZone, at)),
    },
    { header: 'Employee', cell: ({ employeeName }) => textCell(employeeName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Type', cell: ({ type }) => plainCell(TRANSACTION_TYPE_LABELS[type]) },
    { header: 'Description', cell: ({ description }) => textCell(description) },
    { header: 'Account', cell: ({ accountType }) => plainCell(WALLET_LABELS[accountType]) },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Transaction ID', cell: ({ id }) => plainCell(id) },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    { header: 'Batch', cell: ({ origins }) => textCell(origins?.batch ?? '') },
    { header: 'Pay period', cell: ({ origins }) => textCell(origins?.payPeriod ?? '') },
    { header: 'Request', cell: ({ origins }) => plainCell(origins?.requestReference ?? '') },
    ...momentColumns('Time', ({ at }) => at),
    ...momentColumns('Requested', ({ origins }) => origins?.requestedAt ?? null),
    ...momentColumns('Approved', ({ origins }) => origins?.approvedAt ?? null),
    ...momentColumns('Paid', ({ origins }) => origins?.paidAt ?? null),
    ...momentColumns('Closed', ({ origins }) => origins?.closedAt ?? null),
  ],
});

function momentColumns(header: string, read: (row: LogRow) => Date | null) {
  return momentColumnsIn(header, read, ({ settings }: LogScope) => settings.timeZone);
}
