import { sql } from 'kysely';
import { ACCOUNT_FORMAT_OF, accountTypeLabel } from '#contract/account-formats.ts';
import type { AccountFormat } from '#contract/account-formats.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { bankAccountList } from '#contract/lists.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Reader } from '#server/db/tx.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { thingRows } from '#server/modules/acts/index.ts';
import type { ThingScope } from '#server/modules/acts/index.ts';
import { bankAccounts } from './bank-account.ts';
import { checkPending } from './check-pending.ts';
import { presentAdminBankAccount } from './present.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

const SUBMITTED = [
  key(sql`bank_account.submitted_at`, 'instant'),
  key(sql`bank_account.id`, 'uuid'),
] as const;
const OLDEST = ascending(...SUBMITTED);
const NEWEST = descending(...SUBMITTED);

/** An IBAN has no number of its bank apart: the column is empty then. */
const ROUTING_HEADERS: Readonly<Record<AccountFormat, string>> = {
  aba: 'Routing number',
  sort_code: 'Sort code',
  iban: 'Routing number',
};

const { rows: readRowsWithActs, csvRows } = thingRows(bankAccounts, 'admin', selectRows);

async function readRowsWithChecks(reader: Reader, ids: readonly string[], scope: ThingScope) {
  const rows = await readRowsWithActs(reader, ids, scope);
  const checks = await checkPending(reader, scope.services.vault, rows);
  return rows.map((row) => ({ ...row, checks }));
}

/** Bank accounts of everyone: those that wait come first. */
export const adminBankAccounts = readsList(bankAccountList, {
  from: () => [sql`bank_account`],
  id: sql`bank_account.id`,
  within: () => sql`bank_account.removed_at IS NULL`,
  where: {
    person: (id) => sql`bank_account.user_id = ${id}`,
    status: (status) => sql`bank_account.status = ${status}`,
  },
  search: { words: sql`bank_account.search_words`, person: 'bank_account.user_id' },
  segments: ({ status }) => {
    if (status === 'pending') return [{ order: OLDEST }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`bank_account.status = 'pending'`, order: OLDEST },
      { where: sql`bank_account.status <> 'pending'`, order: NEWEST },
    ];
  },
  rows: readRowsWithChecks,
  present: ({ checks, ...row }) => presentAdminBankAccount(row, checks),
  csvRows: async (reader, ids) =>
    (await csvRows(reader, ids)).map((row) => ({ ...row, checks: new Map() })),
  csv: [
    {
      header: 'Submitted',
      cell: ({ submittedAt }, { timeZone }) => plainCell(dayIn(timeZone, submittedAt)),
    },
    { header: 'Employee', cell: ({ ownerName }) => textCell(ownerName) },
    { header: 'Employee ID', cell: (row) => textCell(row.ownerEmployeeNumber ?? '') },
    { header: 'Bank', cell: ({ bankName }) => textCell(bankName) },
    { header: 'Type', cell: (row) => plainCell(accountTypeLabel(row).toLowerCase()) },
    { header: 'Account holder', cell: ({ holderName }) => textCell(holderName) },
    {
      header: 'Routing number',
      headerOf: ({ settings: { currency } }) => ROUTING_HEADERS[ACCOUNT_FORMAT_OF[currency]],
      cell: ({ routingNumber }) => textCell(routingNumber),
    },
    // Never the whole number: who needs it reveals it, one by one, and its owner sees that.
    { header: 'Account ends in', cell: ({ last4 }) => plainCell(`••${last4}`) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    {
      header: 'Decided',
      cell: ({ decidedAt }, { timeZone }) =>
        plainCell(decidedAt === null ? '' : dayIn(timeZone, decidedAt)),
    },
    { header: 'Decided by', cell: ({ deciderName }) => textCell(deciderName ?? '') },
    { header: 'Reason', cell: ({ rejectionReason }) => textCell(rejectionReason ?? '') },
    { header: 'Department', cell: (row) => plainCell(DEPARTMENTS[row.ownerDepartment]) },
    ...momentColumns('Submitted at', ({ submittedAt }: BankAccountRow) => submittedAt),
    ...momentColumns('Decided at', ({ decidedAt }: BankAccountRow) => decidedAt),
  ],
});
