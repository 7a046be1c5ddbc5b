import { sql } from 'kysely';
import { ownWithdrawalList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { thingRows } from '#server/modules/acts/index.ts';
import { presentWithdrawal } from './present.ts';
import { selectRows } from './rows.ts';
import { withdrawals } from './withdrawal.ts';

const NEWEST = descending(
  key(sql`withdrawal.requested_at`, 'instant'),
  key(sql`withdrawal.id`, 'uuid'),
);

/** A person's own withdrawals. */
export const ownWithdrawals = readsList(ownWithdrawalList, {
  from: () => [sql`withdrawal`],
  id: sql`withdrawal.id`,
  within: ({ actor }) => sql`withdrawal.user_id = ${actor.id}`,
  where: {},
  segments: () => [{ order: NEWEST }],
  ...thingRows(withdrawals, 'owner', selectRows),
  present: presentWithdrawal,
});
