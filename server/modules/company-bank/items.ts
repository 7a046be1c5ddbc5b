import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addDays } from '#contract/calendar.ts';
import { OWN_KIND_LABELS } from '#contract/company-bank.ts';
import type { BankItemKind, OnItsWayGroup, OwnKind } from '#contract/company-bank.ts';
import type { Reader } from '#server/db/tx.ts';
import { hasWordsNow, isFound } from '#server/db/search.ts';
import {
  DEPOSIT_REFERENCE,
  PAYROLL_AT,
  PAYROLL_MINOR,
  findItems,
  isOpenIn,
  itemsThat,
  requests,
} from './select-items.ts';
import type { BankItemRow, ItemConditions, Scope } from './select-items.ts';

/** Open items with one of these references; also payout files of their numbers. */
export async function itemsByReference(
  reader: Reader,
  { timeZone, currency }: Scope,
  references: readonly string[],
): Promise<BankItemRow[]> {
  if (references.length === 0) return [];
  const named = sql`ANY (${references}::text[])`;
  // The number of a posting is unique in the ledger, which has an index of it.
  const posted = sql`ARRAY(SELECT id FROM ledger_transaction WHERE reference = ${named})`;
  const ofPayout = (table: 'withdrawal' | 'bill') => {
    const column = (name: string) => sql.ref(`${table}.${name}`);
    return sql`(${column('reference')} = ${named} OR ${column('bank_reference')} = ${named}
      OR ${column('ledger_transaction_id')} = ANY (${posted}))`;
  };
  const numbers = references.flatMap((one) => FILE_REFERENCE.exec(one)?.[1] ?? []);
  const batches = references.flatMap((one) => PAYROLL_REFERENCE.exec(one)?.[1] ?? []);
  const are: ItemConditions = {
    deposit: sql`deposit.reference = ${named}`,
    withdrawal: ofPayout('withdrawal'),
    bill: ofPayout('bill'),
    returned: (table) => {
      const column = (name: string) => sql.ref(`${table}.${name}`);
      const traced = sql`ARRAY(SELECT ${sql.ref(`${table}_id`)} FROM payout_file_item WHERE trace_number = ${named})`;
      return sql`(${column('reference')} = ${named} OR ${column('id')} = ANY (${traced}))`;
    },
    deposited: sql`(${DEPOSIT_REFERENCE} = ${named} OR item.trace_number = ${named})`,
    payoutFile: sql`file.number = ANY (${[...new Set(numbers)]}::integer[])`,
    payroll: sql`batch.number = ANY (${batches}::text[])`,
  };
  return findItems(reader, { are, where: isOpenIn(currency), timeZone });
}

/** `FILE-0029`, `20261204-0029` and `20261204-0029-1` are of file 29. */
const FILE_REFERENCE = /^(?:FILE|\d{8})-0*([1-9]\d{0,8})(?:-\d+)?$/;
const PAYROLL_REFERENCE = /^(?:PAY|IF)-(.+)$/;

/** Conditions that an item has one of some amounts, in minor units on the bank's account. */
function ofAmounts(amounts: readonly bigint[]): ItemConditions {
  const among = (minor: readonly bigint[]) => sql`ANY (${minor.map(String)}::bigint[])`;
  const [money, negated] = [among(amounts), among(amounts.map((minor) => -minor))];
  return {
    deposit: sql`deposit.amount_minor = ${money}`,
    withdrawal: sql`withdrawal.amount_minor = ${negated}`,
    bill: sql`bill.amount_minor = ${negated}`,
    returned: (table) => sql`${sql.ref(`${table}.amount_minor`)} = ${money}`,
    deposited: sql`item.amount_minor = ${money}`,
    payoutFile: sql`file.total_minor = ${negated}`,
    payroll: sql`${PAYROLL_MINOR} = ${money}`,
  };
}

/** Most items that a search finds. */
const MOST_FOUND = 50;

/** Open items of an amount in minor units, the nearest to a day first; at most 50. */
export async function itemsOfAmount(
  reader: Reader,
  { timeZone, currency }: Scope,
  { minor, near }: { minor: bigint; near: string },
): Promise<BankItemRow[]> {
  const are = ofAmounts([minor]);
  return findItems(reader, { are, where: isOpenIn(currency), timeZone, near, limit: MOST_FOUND });
}

/** An amount in minor units on a day. */
export interface AmountOfDay {
  minor: bigint;
  day: string;
}

/**
 * Open items of these amounts that are no further than some days from the days of them. Of one amount and day two are read at
 * most, since two are no proposal.
 */
export async function itemsNear(
  reader: Reader,
  { timeZone, currency }: Scope,
  wanted: readonly AmountOfDay[],
  days: number,
): Promise<BankItemRow[]> {
  const order = wanted.map(({ day }) => day).toSorted();
  const [first, last] = [order[0], order.at(-1)];
  if (first === undefined || last === undefined) return [];
  const startOf = (day: string) => sql`(${day}::date::timestamp AT TIME ZONE ${timeZone})`;
  // One of which a line has a part already has another amount open.
  const { rows } = await sql<BankItemRow>`
    SELECT kind, id, amount_minor, "references", name, is_booked, "group", method, person, day, amount_minor AS open_minor
      FROM (SELECT item.*, app_user.name AS person, local.day::text AS day,
                   row_number() OVER (PARTITION BY item.amount_minor, local.day ORDER BY item.id) AS place
              FROM (${itemsThat(ofAmounts([...new Set(wanted.map(({ minor }) => minor))]))}) AS item
             CROSS JOIN LATERAL (SELECT (item.at AT TIME ZONE ${timeZone})::date AS day) AS local
              LEFT JOIN app_user ON app_user.id = item.user_id
             WHERE item.currency = ${currency}
               AND item.at >= ${startOf(addDays(first, -days))} AND item.at < ${startOf(addDays(last, days + 1))}
               AND NOT EXISTS (SELECT FROM bank_match
                                WHERE item_id = item.id AND kind = item.kind AND undone_at IS NULL)) AS found
     WHERE place <= 2`.execute(reader);
  return rows;
}

/** Open items whose reference, payee, person or amount a search has, the nearest to a day first; at most 50. */
export async function searchItems(
  reader: Reader,
  { timeZone, currency }: Scope,
  { search, near }: { search: string; near: string },
): Promise<BankItemRow[]> {
  const are: ItemConditions = {
    ...requests((table) =>
      isFound(
        {
          words: sql.ref(`${table}.search_words`),
          amount: sql.ref(`${table}.amount_minor`),
          person: `${table}.userId`,
        },
        search,
      ),
    ),
    deposited: sql`(${hasWordsNow(sql`'Return of ' || ${DEPOSIT_REFERENCE}`, search)})`,
    payoutFile: hasWordsNow(sql`'Payout file ' || written.number`, search),
    payroll: hasWordsNow(sql`'Payroll Funding ' || batch.number`, search),
  };
  return findItems(reader, {
    are,
    where: isOpenIn(currency),
    timeZone,
    near,
    limit: MOST_FOUND,
  });
}

/** Number of a group's items, with the names of the first. */
export interface WaitingItems {
  group: OnItsWayGroup;
  count: number;
  names: string[];
}

/**
 * SQL of the beginning of the comparison, which is null before the first statement. A company whose ledger had no accounts
 * then is compared from its beginning.
 */
const STARTED = sql`(
  SELECT CASE WHEN EXISTS (SELECT FROM bank_statement) THEN coalesce(min(started_at), '-infinity') END
    FROM bank_start)`;

/**
 * Items since the first statement that make up what is on its way, by group, the newest named: booked ones that are open,
 * and those that lines have before they are booked.
 */
export async function findWaiting(reader: Reader, currency: string): Promise<WaitingItems[]> {
  const ahead = (table: 'deposit' | 'withdrawal' | 'bill', waits: string) => sql`
    ${sql.ref(`${table}.status`)} = ${sql.lit(waits)} AND EXISTS (
      SELECT FROM bank_match WHERE item_id = ${sql.ref(`${table}.id`)} AND kind = ${sql.lit(table)}
         AND undone_at IS NULL)`;
  const booked = (table: 'deposit' | 'withdrawal' | 'bill', status: string) => sql`
    ${sql.ref(`${table}.status`)} = ${sql.lit(status)} AND ${sql.ref(`${table}.moved_at`)} >= ${STARTED}`;
  const returned = (table: 'withdrawal' | 'bill') => booked(table, 'returned');
  const either = (...ways: RawBuilder<unknown>[]) => sql`(${sql.join(ways, sql` OR `)})`;
  const are: ItemConditions = {
    deposit: either(ahead('deposit', 'pending'), booked('deposit', 'approved')),
    withdrawal: either(
      ahead('withdrawal', 'processing'),
      booked('withdrawal', 'completed'),
      returned('withdrawal'),
    ),
    bill: either(ahead('bill', 'sent'), booked('bill', 'paid'), returned('bill')),
    returned,
    payoutFile: sql`file.sent_at >= ${STARTED}`,
    deposited: sql`reversal.effective_at >= ${STARTED}`,
    payroll: sql`${PAYROLL_AT} >= ${STARTED}`,
  };
  // Lines that have all of an item that is not booked yet are ahead of the ledger.
  const { rows } = await sql<WaitingItems>`
    SELECT "group", count(*)::int AS count, (array_agg(name ORDER BY at DESC, id))[1:3] AS names
      FROM (SELECT item.id, item.name, item.at,
                   CASE WHEN item.is_booked OR item.amount_minor IS DISTINCT FROM matched.minor THEN item."group"
                        WHEN item.kind = 'deposit' THEN 'depositsWaiting' ELSE 'payoutsWaiting' END AS "group"
              FROM (${itemsThat(are)}) AS item
              LEFT JOIN (
                SELECT item_id, kind, sum(amount_minor) AS minor FROM bank_match
                 WHERE undone_at IS NULL AND item_id IS NOT NULL GROUP BY item_id, kind) AS matched
                ON matched.item_id = item.id AND matched.kind = item.kind
             WHERE item.currency = ${currency}
               AND (NOT item.is_booked OR item.amount_minor IS DISTINCT FROM matched.minor)
           ) AS waiting
     GROUP BY 1`.execute(reader);
  return rows;
}

/**
 * Items by their kind and id; one that does not exist is left out.
 *
 * @param currency leaves out items of another one
 */
export async function itemsById(
  reader: Reader,
  { timeZone, currency }: { timeZone: string; currency?: string },
  wanted: readonly { kind: BankItemKind; itemId: string | null }[],
): Promise<BankItemRow[]> {
  const ids = wanted.flatMap(({ itemId }) => itemId ?? []);
  if (ids.length === 0) return [];
  const isOne = (table: string) => sql`${sql.ref(`${table}.id`)} = ANY (${ids}::uuid[])`;
  const are = {
    ...requests(isOne),
    deposited: isOne('item'),
    payoutFile: isOne('file'),
    payroll: isOne('batch'),
  };
  const where = currency === undefined ? sql`true` : sql`item.currency = ${currency}`;
  const found = await findItems(reader, { are, where, timeZone });
  const keys = new Set(wanted.map(({ kind, itemId }) => `${kind} ${itemId}`));
  return found.filter(({ kind, id }) => keys.has(`${kind} ${id}`));
}

/** Name of the company's own money; undefined for an item. */
export function ownName(kind: BankItemKind): string | undefined {
  return kind in OWN_KIND_LABELS ? OWN_KIND_LABELS[kind as OwnKind] : undefined;
}

/** Items that were booked from the first statement on and before a moment, and that statements do not have whole. */
export async function findOpenBefore(
  reader: Reader,
  { timeZone, currency, before }: Scope & { before: Date },
): Promise<BankItemRow[]> {
  const isThen = (at: RawBuilder<unknown>) => sql`${at} >= ${STARTED} AND ${at} < ${before}`;
  const are = {
    ...requests((table) => isThen(sql.ref(`${table}.moved_at`))),
    payoutFile: isThen(sql`file.sent_at`),
    payroll: isThen(PAYROLL_AT),
    deposited: isThen(sql`reversal.effective_at`),
  };
  const where = sql`${isOpenIn(currency)} AND item.is_booked`;
  return findItems(reader, { are, where, timeZone });
}
