import { sql } from 'kysely';
import type { PaidPerson } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { FUNDING_TYPES, FUNDING_TYPE_IDS } from '#contract/funding.ts';
import { paidList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Reader } from '#server/db/tx.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { DIRECTORY_WORDS } from '#server/db/search.ts';
import { PAYROLL, payments, wasPaid } from './paid-scope.ts';
import type { PaidScope } from './paid-scope.ts';
import { amountsOf, presentAmounts } from './paid-totals.ts';
import type { PaidAmounts } from './paid-totals.ts';

interface PaidRow {
  id: string;
  name: string;
  employeeNumber: string | null;
  department: Department;
  amounts: PaidAmounts;
}

const BY_NAME = ascending(key(sql`app_user.name`, 'text'), key(sql`app_user.id`, 'uuid'));

/** Everyone whom payrolls or fundings paid within some days, by name, with what they were paid. */
export const paidPeople = readsList(paidList, {
  from: () => [sql`app_user`],
  id: sql`app_user.id`,
  within: wasPaid,
  where: {
    department: (department) => sql`app_user.department = ${department}`,
    // The scope has the days.
    from: () => sql`true`,
    to: () => sql`true`,
  },
  search: { words: DIRECTORY_WORDS },
  segments: () => [{ order: BY_NAME }],
  rows: readRows,
  present: presentPaid,
  csv: [
    { header: 'Employee', cell: ({ name }) => textCell(name) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    { header: 'Payroll', cell: ({ amounts }) => plainCell(decimalAmount(amounts[PAYROLL])) },
    ...FUNDING_TYPE_IDS.map((type) => ({
      header: FUNDING_TYPES[type].label,
      cell: ({ amounts }: PaidRow) => plainCell(decimalAmount(amounts[type])),
    })),
    { header: 'Total', cell: ({ amounts }) => plainCell(decimalAmount(amounts.total)) },
  ],
});

async function readRows(
  reader: Reader,
  ids: readonly string[],
  scope: PaidScope,
): Promise<PaidRow[]> {
  const { rows } = await sql<Omit<PaidRow, 'amounts'> & { kinds: string[]; sums: string[] }>`
    SELECT person.id, person.name, person.employee_number, person.department, paid.kinds, paid.sums
      FROM app_user AS person
     CROSS JOIN LATERAL (
       SELECT array_agg(kind) AS kinds, array_agg(minor::text) AS sums FROM (
         SELECT kind, sum(minor)::bigint AS minor
           FROM ${payments(scope, sql`wallet.user_id = person.id`)} GROUP BY kind) AS sum) AS paid
     WHERE person.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows.map(({ kinds, sums, ...row }) => ({
    ...row,
    amounts: amountsOf(kinds.map((kind, index) => ({ kind, minor: BigInt(sums[index] ?? 0) }))),
  }));
}

function presentPaid(row: PaidRow, { settings: { currency } }: PaidScope): PaidPerson {
  return {
    id: row.id,
    employee: { id: row.id, name: row.name, employeeId: row.employeeNumber },
    department: row.department,
    ...presentAmounts(row.amounts, currency),
  };
}
