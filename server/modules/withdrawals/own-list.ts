import { sql } from 'kysely';
import { ownWithdrawalList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentWithdrawal } from './present.ts';
import { readRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';

const NEWEST = descending(
  key(sql`withdrawal.requested_at`, 'instant'),
  key(sql`withdrawal.id`, 'uuid'),
);

/** A person's own withdrawals. */
export const ownWithdrawals = readsList(ownWithdrawalList, {
  from: () => [sql`withdrawal`],
  id: sql`withdrawal.id`,
  within: ({ ownerId }) => sql`withdrawal.user_id = ${ownerId}`,
  where: {},
  segments: () => [{ order: NEWEST }],
  rows: readRows,
  present: (row: WithdrawalRow, { settings }: { ownerId: string; settings: CompanySettings }) =>
    presentWithdrawal(row, settings),
});
