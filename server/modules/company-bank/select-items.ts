import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { OnItsWayGroup } from '#contract/company-bank.ts';
import type { Reader } from '#server/db/tx.ts';
import type { OpenItem } from './match-lines.ts';

/** An item with everything that is shown of it. */
export interface BankItemRow extends OpenItem {
  /** Minor units on the bank's account, below zero for money out. */
  readonly amountMinor: bigint;
  /** `DEP-48209944` */
  readonly name: string;
  /** Group of what is on its way that it belongs to once it is booked. */
  readonly group: OnItsWayGroup;
  /** False for one that the ledger has not booked yet: a deposit that waits, a payout that is not completed. */
  readonly isBooked: boolean;
}

/**
 * SQL condition that a payout file stands for a request: it was sent, and the request was not taken out of it to be paid
 * otherwise. The bank debits the whole file, so the request is no item of its own; if it came back, that is one.
 */
const inSentFile = (table: 'withdrawal' | 'bill') => {
  const sent = sql`
    SELECT FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
     WHERE item.${sql.ref(`${table}_id`)} = ${sql.ref(`${table}.id`)} AND file.sent_at IS NOT NULL`;
  return sql`(EXISTS (${sent} AND item.is_live)
    OR ${sql.ref(`${table}.status`)} = 'returned' AND EXISTS (${sent} AND NOT item.is_live))`;
};

/** SQL of the trace numbers under which a request that came back was sent: banks name its return by them. */
const tracesOf = (table: 'withdrawal' | 'bill') => sql`ARRAY(
  SELECT item.trace_number FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
   WHERE item.${sql.ref(`${table}_id`)} = ${sql.ref(`${table}.id`)} AND NOT item.is_live AND file.sent_at IS NOT NULL)`;

/** SQL of the reference of a micro-deposit `item`, as payout files have it. */
export const DEPOSIT_REFERENCE = sql`('MD-' || right(item.trace_number, 7))`;
/** SQL of the time of a payroll, as its index has it. */
export const PAYROLL_AT = sql`coalesce(processed_at, started_at, created_at)`;
/** SQL of the amount of a payroll, as its index has it. */
export const PAYROLL_MINOR = sql`(paid_minor - reversed_minor)`;

/** SQL conditions on the rows of each table of items, for which the table has an index. */
export interface ItemConditions {
  deposit: RawBuilder<unknown>;
  withdrawal: RawBuilder<unknown>;
  bill: RawBuilder<unknown>;
  /** On withdrawals and on bills that came back: money in. */
  returned: (table: 'withdrawal' | 'bill') => RawBuilder<unknown>;
  /** On micro-deposits that came back, by `item` and the `reversal` of its posting. */
  deposited: RawBuilder<unknown>;
  payoutFile: RawBuilder<unknown>;
  payroll: RawBuilder<unknown>;
}

/**
 * SQL of items: what moved or is to move money on a bank account of the company, with its sign there. A payout that
 * came back is two items. A payout file is one once all its payments are marked as sent. Banks name it by its number, by its message id, or by that of its batch.
 */
export function itemsThat(are: ItemConditions): RawBuilder<unknown> {
  return sql`
  SELECT 'deposit' AS kind, id, amount_minor, ARRAY[reference] AS references, reference AS name, user_id, currency,
         coalesce(moved_at, requested_at) AS at, status = 'approved' AS is_booked, 'deposits' AS "group", method
    FROM deposit WHERE status IN ('pending', 'approved') AND ${are.deposit}
  UNION ALL
  SELECT 'withdrawal', id, -amount_minor, array_remove(ARRAY[reference, transaction_reference, bank_reference], NULL),
         reference, user_id, currency, moved_at, status <> 'processing', 'payouts', NULL
    FROM withdrawal WHERE status IN ('processing', 'completed', 'returned') AND ${are.withdrawal}
     AND NOT ${inSentFile('withdrawal')}
  UNION ALL
  SELECT 'bill', id, -amount_minor, array_remove(ARRAY[reference, transaction_reference, bank_reference], NULL),
         reference, user_id, currency, moved_at, status <> 'sent', 'bills', NULL
    FROM bill WHERE status IN ('sent', 'paid', 'returned') AND ${are.bill} AND NOT ${inSentFile('bill')}
  UNION ALL
  SELECT 'return', id, amount_minor, ARRAY[reference] || ${tracesOf('withdrawal')}, 'Return of ' || reference, user_id, currency,
         moved_at, true, 'payouts', NULL
    FROM withdrawal WHERE status = 'returned' AND ${are.returned('withdrawal')}
  UNION ALL
  SELECT 'return', id, amount_minor, ARRAY[reference] || ${tracesOf('bill')}, 'Return of ' || reference, user_id, currency,
         moved_at, true, 'bills', NULL
    FROM bill WHERE status = 'returned' AND ${are.returned('bill')}
  UNION ALL
  SELECT 'return', item.id, item.amount_minor, ARRAY[${DEPOSIT_REFERENCE}, item.trace_number],
         'Return of ' || ${DEPOSIT_REFERENCE}, bank.user_id, file.currency, reversal.effective_at, true, 'payouts', NULL
    FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
    JOIN bank_account AS bank ON bank.id = item.bank_account_id
    JOIN ledger_transaction AS reversal ON reversal.reverses_id = item.ledger_transaction_id
   WHERE NOT item.is_live AND item.ledger_transaction_id IS NOT NULL AND ${are.deposited}
  UNION ALL
  SELECT 'payout_file', id, -total_minor,
         ARRAY['FILE-' || written.number, written.message]
           || ARRAY(SELECT DISTINCT written.message || '-' || batch_number FROM payout_file_item WHERE file_id = file.id),
         'Payout file ' || written.number, NULL, currency, sent_at, true, 'files', NULL
    FROM payout_file AS file
   CROSS JOIN LATERAL (SELECT lpad(number::text, greatest(4, length(number::text)), '0') AS number) AS padded
   CROSS JOIN LATERAL (
     SELECT padded.number, to_char(made_on, 'YYYYMMDD') || '-' || padded.number AS message) AS written
   WHERE sent_at IS NOT NULL AND (unposted_after IS NULL OR status = 'settled') AND ${are.payoutFile}
  UNION ALL
  SELECT 'payroll', id, ${PAYROLL_MINOR}, ARRAY['PAY-' || number, 'IF-' || number], CASE WHEN funding_type IS NULL THEN 'Payroll ' ELSE 'Funding ' END || number, NULL, currency,
         ${PAYROLL_AT}, true, 'payroll', NULL
    FROM payroll_batch AS batch WHERE paid_minor > reversed_minor AND ${are.payroll}`;
}

/** The same condition on withdrawals, bills and what came back of both. */
export function requests(
  condition: (table: 'deposit' | 'withdrawal' | 'bill') => RawBuilder<unknown>,
): Pick<ItemConditions, 'deposit' | 'withdrawal' | 'bill' | 'returned'> {
  return {
    deposit: condition('deposit'),
    withdrawal: condition('withdrawal'),
    bill: condition('bill'),
    returned: condition,
  };
}

export interface Scope {
  timeZone: string;
  currency: string;
}

interface Asked {
  are: ItemConditions;
  timeZone: string;
  /** Further condition on `item`. */
  where: RawBuilder<unknown>;
  /** Day whose nearest items come first; without it the newest do. */
  near?: string;
  limit?: number;
}

/** SQL of what lines have of `item`, in minor units. */
const MATCHED = sql`(
  SELECT coalesce(sum(amount_minor), 0) AS minor FROM bank_match
   WHERE item_id = item.id AND kind = item.kind AND undone_at IS NULL) AS matched`;

/** SQL of items that are open, or of all, with what is open of each. */
function selectItems({ are, timeZone, where, near, limit }: Asked): RawBuilder<BankItemRow> {
  const order =
    near === undefined
      ? sql`item.at DESC`
      : sql`abs((item.at AT TIME ZONE ${timeZone})::date - ${near}::date), item.at DESC`;
  return sql<BankItemRow>`
    SELECT item.kind, item.id, item.amount_minor, item.references, item.name, item.is_booked, item."group", item.method,
           app_user.name AS person, (item.at AT TIME ZONE ${timeZone})::date::text AS day,
           (item.amount_minor - matched.minor)::bigint AS open_minor
      FROM (${itemsThat(are)}) AS item
     CROSS JOIN LATERAL ${MATCHED}
      LEFT JOIN app_user ON app_user.id = item.user_id
     WHERE ${where}
     ORDER BY ${order}, item.id LIMIT ${limit ?? null}`;
}

export async function findItems(reader: Reader, asked: Asked): Promise<BankItemRow[]> {
  return (await selectItems(asked).execute(reader)).rows;
}

/** Open items of a currency. The condition comes before any limit, so that closed ones hide no open one. */
export const isOpenIn = (currency: string) =>
  sql`item.currency = ${currency} AND item.amount_minor <> matched.minor`;
