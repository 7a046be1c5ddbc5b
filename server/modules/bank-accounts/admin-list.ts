import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { bankAccountList } from '#contract/lists.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Reader } from '#server/db/tx.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import type { Vault } from '#server/vault/vault.ts';
import { checkPending } from './check-pending.ts';
import { presentAdminBankAccount } from './present.ts';
import { readRows } from './rows.ts';

const SUBMITTED = [
  key(sql`bank_account.submitted_at`, 'instant'),
  key(sql`bank_account.id`, 'uuid'),
] as const;
const OLDEST = ascending(...SUBMITTED);
const NEWEST = descending(...SUBMITTED);

/** Bank accounts of everyone: those that wait come first. */
export const adminBankAccounts = readsList(bankAccountList, {
  from: () => [sql`bank_account`],
  id: sql`bank_account.id`,
  within: () => sql`bank_account.removed_at IS NULL`,
  where: {
    person: (id) => sql`bank_account.user_id = ${id}`,
    status: (status) => sql`bank_account.status = ${status}`,
  },
  search: { words: sql`bank_account.bank_name`, person: 'bank_account.user_id' },
  segments: ({ status }) => {
    if (status === 'pending') return [{ order: OLDEST }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`bank_account.status = 'pending'`, order: OLDEST },
      { where: sql`bank_account.status <> 'pending'`, order: NEWEST },
    ];
  },
  rows: readCheckedRows,
  present: ({ check, ...row }) => presentAdminBankAccount(row, check),
  csv: [
    {
      header: 'Submitted',
      cell: ({ submittedAt }, { timeZone }) => plainCell(dayIn(timeZone, submittedAt)),
    },
    { header: 'Employee', cell: ({ ownerName }) => textCell(ownerName) },
    { header: 'Employee ID', cell: (row) => textCell(row.ownerEmployeeNumber ?? '') },
    { header: 'Bank', cell: ({ bankName }) => textCell(bankName) },
    { header: 'Type', cell: ({ accountType }) => plainCell(accountType) },
    { header: 'Account holder', cell: ({ holderName }) => textCell(holderName) },
    { header: 'Routing number', cell: ({ routingNumber }) => plainCell(routingNumber) },
    // Never the whole number: who needs it reveals it, one by one, and its owner sees that.
    { header: 'Account ends in', cell: ({ last4 }) => plainCell(last4) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    {
      header: 'Decided',
      cell: ({ decidedAt }, { timeZone }) =>
        plainCell(decidedAt === null ? '' : dayIn(timeZone, decidedAt)),
    },
    { header: 'Decided by', cell: ({ deciderName }) => textCell(deciderName ?? '') },
    { header: 'Reason', cell: ({ rejectionReason }) => textCell(rejectionReason ?? '') },
  ],
});

interface ListContext {
  vault: Vault;
  timeZone: string;
}

async function readCheckedRows(reader: Reader, ids: readonly string[], { vault }: ListContext) {
  const rows = await readRows(reader, ids);
  const checks = await checkPending(reader, vault, rows);
  return rows.map((row) => ({ ...row, check: checks.get(row.id) ?? null }));
}
