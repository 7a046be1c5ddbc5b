import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { addUp, inOrder } from '#server/db/paging.ts';
import type { ListPart } from '#server/db/paging.ts';
import { containsPattern, isPersonMatching, peopleMatching } from '#server/db/search.ts';
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
  const one = (order: RawBuilder<unknown>) => [part(reader, filter, order)];
  if (sort === 'submitted') return one(direction === 'asc' ? OLDEST : NEWEST);
  if (sort === 'amount') return one(direction === 'asc' ? SMALLEST : LARGEST);
  if (filter.status === 'pending') return one(URGENT_THEN_OLDEST);
  if (filter.status !== 'all') return one(NEWEST);
  return [
    part(reader, filter, URGENT_THEN_OLDEST, sql`withdrawal.status = 'pending'`),
    part(reader, filter, NEWEST, sql`withdrawal.status <> 'pending'`),
  ];
}

/** The filter as a condition. */
export function matches(filter: WithdrawalFilter): RawBuilder<boolean> {
  if (filter.search === '') return chosen(filter);
  const pattern = containsPattern(filter.search);
  return sql`${chosen(filter)} AND (${hasWords(pattern)}
    OR withdrawal.user_id = ANY (${peopleMatching(pattern)}))`;
}

/**
 * The filter as conditions that share no row: what is found by its own words, and what only by whose
 * it is. Their counts add up, and each is made by the index that suits it.
 */
function pieces(filter: WithdrawalFilter): RawBuilder<boolean>[] {
  if (filter.search === '') return [chosen(filter)];
  const pattern = containsPattern(filter.search);
  return [
    sql`${chosen(filter)} AND ${hasWords(pattern)}`,
    sql`${chosen(filter)} AND NOT ${hasWords(pattern)}
      AND ${isPersonMatching('withdrawal.user_id', pattern)}`,
  ];
}

/** The filter without its search. */
function chosen({ status, urgency }: WithdrawalFilter): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (status !== 'all') conditions.push(sql`withdrawal.status = ${status}`);
  if (urgency !== 'all') conditions.push(sql`withdrawal.urgency_rank = ${URGENCY_RANKS[urgency]}`);
  return sql`${sql.join(conditions, sql` AND `)}`;
}

/** The searched expression is that of the index `withdrawal_search`. */
function hasWords(pattern: string): RawBuilder<boolean> {
  return sql`(withdrawal.bank_name || ' ' || withdrawal.reason || ' ' || withdrawal.reference)
    ILIKE ${pattern}`;
}

/**
 * The page's ids first, planned for this filter; then what is shown of those few, by a plan that is
 * kept: planning all it joins takes longer than running it.
 */
function part(
  reader: Reader,
  filter: WithdrawalFilter,
  order: RawBuilder<unknown>,
  stretch: RawBuilder<boolean> = sql`true`,
): ListPart<WithdrawalRow> {
  return {
    count: () =>
      addUp(pieces(filter), async (piece) => {
        const { count } = await reader
          .selectFrom('withdrawal')
          .select((eb) => eb.fn.countAll<bigint>().as('count'))
          .where(sql<boolean>`${piece} AND ${stretch}`)
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    rows: async (offset, limit) => {
      const found = await reader
        .selectFrom('withdrawal')
        .select('id')
        .where(sql<boolean>`${matches(filter)} AND ${stretch}`)
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
