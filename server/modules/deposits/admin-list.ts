import { sql } from 'kysely';
import { depositList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { presentAdminDeposit } from './present.ts';
import { readRows } from './rows.ts';

const NEWEST = descending(key(sql`deposit.requested_at`, 'instant'), key(sql`deposit.id`, 'uuid'));

/** Deposits of everyone. */
export const adminDeposits = readsList(depositList, {
  from: () => [sql`deposit`],
  id: sql`deposit.id`,
  where: { status: (status) => sql`deposit.status = ${status}` },
  segments: () => [{ order: NEWEST }],
  rows: readRows,
  present: presentAdminDeposit,
});
