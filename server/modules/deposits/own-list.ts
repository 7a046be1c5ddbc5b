import { sql } from 'kysely';
import { ownDepositList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentDeposit } from './present.ts';
import { readRows } from './rows.ts';
import type { DepositRow } from './rows.ts';

const NEWEST = descending(key(sql`deposit.requested_at`, 'instant'), key(sql`deposit.id`, 'uuid'));

/** A person's own deposits. */
export const ownDeposits = readsList(ownDepositList, {
  from: () => [sql`deposit`],
  id: sql`deposit.id`,
  within: ({ ownerId }) => sql`deposit.user_id = ${ownerId}`,
  where: { status: (status) => sql`deposit.status = ${status}` },
  segments: () => [{ order: NEWEST }],
  rows: readRows,
  present: (row: DepositRow, { settings }: { ownerId: string; settings: CompanySettings }) =>
    presentDeposit(row, settings),
});
