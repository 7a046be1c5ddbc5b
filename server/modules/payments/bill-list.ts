import { sql } from 'kysely';
import { billList } from '#contract/lists.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { presentAdminBill } from './present-bill.ts';
import { readBills } from './bill-rows.ts';

const ID = key(sql`bill.id`, 'uuid');
const NEWEST = descending(key(sql`bill.requested_at`, 'instant'), ID);
const LONGEST_WAITING = ascending(key(sql`bill.taken_at`, 'instant'), ID);

/** Bills of everyone: as a queue those that an admin has to act on come first, and all others after. */
export const adminBills = readsList(billList, {
  from: () => [sql`bill`],
  id: sql`bill.id`,
  where: {
    status: (status) =>
      status === 'waiting' ? sql`bill.status IN ('due', 'sent')` : sql`bill.status = ${status}`,
  },
  search: {
    // The expression of the index `bill_search`.
    words: sql`(bill.payee_name || ' ' || bill.memo || ' ' || bill.reference)`,
    person: 'bill.user_id',
  },
  segments: ({ status }) => {
    if (status === 'waiting') return [{ order: LONGEST_WAITING }];
    if (status !== 'all') return [{ order: NEWEST }];
    return [
      { where: sql`bill.status IN ('due', 'sent')`, order: LONGEST_WAITING },
      { where: sql`bill.status NOT IN ('due', 'sent')`, order: NEWEST },
    ];
  },
  rows: readBills,
  present: presentAdminBill,
});
