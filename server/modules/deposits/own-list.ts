import { sql } from 'kysely';
import { ownDepositList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { thingRows } from '#server/modules/acts/index.ts';
import { presentDeposit } from './present.ts';
import { selectRows } from './rows.ts';
import { deposits } from './deposit.ts';

const NEWEST = descending(key(sql`deposit.requested_at`, 'instant'), key(sql`deposit.id`, 'uuid'));

/** A person's own deposits. */
export const ownDeposits = readsList(ownDepositList, {
  from: () => [sql`deposit`],
  id: sql`deposit.id`,
  within: ({ actor }) => sql`deposit.user_id = ${actor.id}`,
  where: { status: (status) => sql`deposit.status = ${status}` },
  segments: () => [{ order: NEWEST }],
  ...thingRows(deposits, 'owner', selectRows),
  present: presentDeposit,
});
