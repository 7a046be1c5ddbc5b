import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { inOrder } from '#server/db/paging.ts';
import type { ListPart } from '#server/db/paging.ts';
import { containsPattern, peopleMatching } from '#server/db/search.ts';
import { planKept } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { selectRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';

type ListQuery = RouteArguments<'adminListWithdrawals'>['query'];
/** What the list and its export are filtered by. */
export type WithdrawalFilter = Pick<ListQuery, 'search' | 'status' | 'urgency'>;
type Sort = Pick<ListQuery, 'sort' | 'direction'>;

/** Orders as SQL, each that of an index. */
const NEWEST = sql`withdrawal.requested_at DESC, withdrawal.id DESC`;
const OLDEST = sql`withdrawal.requested_at, withdrawal.id`;
const LARGEST = sql`withdrawal.amount_minor DESC, withdrawal.id DESC`;
const SMALLEST = sql`withdrawal.amount_minor, withdrawal.id`;
const URGENT_THEN_OLDEST = sql`withdrawal.urgency_rank DESC, withdrawal.requested_at, withdrawal.id`;

/** The table's `urgency_rank`, which its indexes have instead of the word. */
const URGENCY_RANKS: Record<Urgency, number> = { low: 1, medium: 2, high: 3 };

/**
 * The admins' list as parts. As a queue, pending requests come first, by urgency and then oldest,
 * and all others after them, newest first; sorted by a column it is one part.
 */
export function partsOf(
  reader: Reader,
  { sort, direction, ...filter }: WithdrawalFilter & Sort,
): ListPart<WithdrawalRow>[] {
  const wanted = matches(filter);
  if (sort === 'submitted') return [part(reader, wanted, direction === 'asc' ? OLDEST : NEWEST)];
  if (sort === 'amount') return [part(reader, wanted, direction === 'asc' ? SMALLEST : LARGEST)];
  if (filter.status === 'pending') return [part(reader, wanted, URGENT_THEN_OLDEST)];
  if (filter.status !== 'all') return [part(reader, wanted, NEWEST)];
  return [
    part(reader, sql<boolean>`${wanted} AND withdrawal.status = 'pending'`, URGENT_THEN_OLDEST),
    part(reader, sql<boolean>`${wanted} AND withdrawal.status <> 'pending'`, NEWEST),
  ];
}

/** The filter as a condition. The searched expression is that of the index `withdrawal_search`. */
export function matches(filter: WithdrawalFilter): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  if (filter.status !== 'all') {
    conditions.push(sql<boolean>`withdrawal.status = ${filter.status}`);
  }
  if (filter.urgency !== 'all') {
    conditions.push(sql<boolean>`withdrawal.urgency_rank = ${URGENCY_RANKS[filter.urgency]}`);
  }
  if (filter.search !== '') {
    const pattern = containsPattern(filter.search);
    conditions.push(sql<boolean>`(
      (withdrawal.bank_name || ' ' || withdrawal.reason || ' ' || withdrawal.reference)
        ILIKE ${pattern}
      OR withdrawal.user_id = ANY (${peopleMatching(pattern)}))`);
  }
  if (conditions.length === 0) return sql<boolean>`true`;
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/**
 * The page's ids first, planned for this filter; then what is shown of those few, by a plan that is
 * kept: planning all it joins takes longer than running it.
 */
function part(
  reader: Reader,
  wanted: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
): ListPart<WithdrawalRow> {
  return {
    count: async () => {
      const { count } = await reader
        .selectFrom('withdrawal')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .where(wanted)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    rows: async (offset, limit) => {
      const found = await reader
        .selectFrom('withdrawal')
        .select('id')
        .where(wanted)
        .orderBy(order)
        .offset(offset)
        .limit(limit)
        .execute();
      const ids = found.map(({ id }) => id);
      const rows = await selectRows(reader)
        .modifyFront(planKept)
        .where(sql<boolean>`withdrawal.id = ANY (${ids}::uuid[])`)
        .execute();
      return inOrder(ids, rows);
    },
  };
}
