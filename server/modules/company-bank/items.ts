import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { OWN_KIND_LABELS } from '#contract/company-bank.ts';
import type { BankItemKind, OnItsWayGroup, OwnKind } from '#contract/company-bank.ts';
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
const inSentFile = (table: 'withdrawal' | 'bill') => sql`EXISTS (
  SELECT FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
   WHERE item.${sql.ref(`${table}_id`)} = ${sql.ref(`${table}.id`)} AND file.sent_at IS NOT NULL
     AND (item.is_live OR ${sql.ref(`${table}.status`)} = 'returned'))`;

/**
 * SQL of all items: what moved or is to move money on a bank account of the company, with its sign there. A payout that
 * came back is two items. Banks name a payout file by its number, by its message id, or by that of its batch.
 */
const ITEMS = sql`
  SELECT 'deposit' AS kind, id, amount_minor, ARRAY[reference] AS references, reference AS name, user_id, currency,
         coalesce(moved_at, requested_at) AS at, status = 'approved' AS is_booked, 'deposits' AS "group"
    FROM deposit WHERE status IN ('pending', 'approved')
  UNION ALL
  SELECT 'withdrawal', id, -amount_minor, array_remove(ARRAY[reference, transaction_reference, bank_reference], NULL),
         reference, user_id, currency, moved_at, status <> 'processing', 'payouts'
    FROM withdrawal WHERE status IN ('processing', 'completed', 'returned') AND NOT ${inSentFile('withdrawal')}
  UNION ALL
  SELECT 'bill', id, -amount_minor, array_remove(ARRAY[reference, transaction_reference, bank_reference], NULL),
         reference, user_id, currency, moved_at, status <> 'sent', 'bills'
    FROM bill WHERE status IN ('sent', 'paid', 'returned') AND NOT ${inSentFile('bill')}
  UNION ALL
  SELECT 'return', id, amount_minor, ARRAY[reference], 'Return of ' || reference, user_id, currency, moved_at, true,
         'payouts'
    FROM withdrawal WHERE status = 'returned'
  UNION ALL
  SELECT 'return', id, amount_minor, ARRAY[reference], 'Return of ' || reference, user_id, currency, moved_at, true,
         'bills'
    FROM bill WHERE status = 'returned'
  UNION ALL
  SELECT 'payout_file', id, -total_minor,
         ARRAY['FILE-' || written.number, written.message]
           || ARRAY(SELECT DISTINCT written.message || '-' || batch_number FROM payout_file_item WHERE file_id = file.id),
         'Payout file ' || written.number, NULL, currency, sent_at, true, 'files'
    FROM payout_file AS file
   CROSS JOIN LATERAL (SELECT lpad(number::text, greatest(4, length(number::text)), '0') AS number) AS padded
   CROSS JOIN LATERAL (
     SELECT padded.number, to_char(made_on, 'YYYYMMDD') || '-' || padded.number AS message) AS written
   WHERE sent_at IS NOT NULL
  UNION ALL
  SELECT 'payroll', id, paid_minor - reversed_minor, ARRAY['PAY-' || number, 'IF-' || number],
         CASE WHEN funding_type IS NULL THEN 'Payroll ' ELSE 'Funding ' END || number, NULL, currency,
         coalesce(processed_at, started_at, created_at), true, 'payroll'
    FROM payroll_batch WHERE paid_minor > reversed_minor`;

/** Items by a condition on `item`, with what is open of each. */
async function findItems(
  reader: Reader,
  { where, timeZone, limit }: { where: RawBuilder<unknown>; timeZone: string; limit: number },
): Promise<BankItemRow[]> {
  const { rows } = await sql<BankItemRow>`
    SELECT item.kind, item.id, item.amount_minor, item.references, item.name, item.is_booked, item."group",
           app_user.name AS person, (item.at AT TIME ZONE ${timeZone})::date::text AS day,
           item.amount_minor - coalesce(
             (SELECT sum(amount_minor) FROM bank_match
               WHERE item_id = item.id AND kind = item.kind AND undone_at IS NULL), 0)::bigint AS open_minor
      FROM (${ITEMS}) AS item LEFT JOIN app_user ON app_user.id = item.user_id
     WHERE ${where}
     ORDER BY item.at DESC, item.id LIMIT ${limit}`.execute(reader);
  return rows;
}

/** Most items that a search or one matching reads. */
const MOST_ITEMS = 20_000;
const MOST_FOUND = 50;
const MOST_WAITING = 2_000;

interface Scope {
  timeZone: string;
  currency: string;
}

const isOpen = ({ openMinor }: BankItemRow) => openMinor !== 0n;

/** Open items with one of these references. */
export async function itemsByReference(
  reader: Reader,
  { timeZone, currency }: Scope,
  references: readonly string[],
): Promise<BankItemRow[]> {
  if (references.length === 0) return [];
  const where = sql`item.references && ${references}::text[] AND item.currency = ${currency}`;
  return (await findItems(reader, { where, timeZone, limit: MOST_ITEMS })).filter(isOpen);
}

/** Open items of one of these amounts, in minor units. */
export async function itemsByAmount(
  reader: Reader,
  { timeZone, currency }: Scope,
  amounts: readonly bigint[],
): Promise<BankItemRow[]> {
  if (amounts.length === 0) return [];
  const where = sql`item.amount_minor = ANY (${amounts.map(String)}::bigint[]) AND item.currency = ${currency}`;
  return (await findItems(reader, { where, timeZone, limit: MOST_ITEMS })).filter(isOpen);
}

/** Open items whose reference, name or person has a text; the newest 50. */
export async function searchItems(
  reader: Reader,
  { timeZone, currency }: Scope,
  search: string,
): Promise<BankItemRow[]> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const where = sql`item.currency = ${currency} AND (
    search_text(item.name) LIKE search_text(${pattern}) OR search_text(app_user.name) LIKE search_text(${pattern}))`;
  return (await findItems(reader, { where, timeZone, limit: MOST_FOUND })).filter(isOpen);
}

/**
 * Items since the first statement that make up what is on its way: booked ones that are open, and those that lines have
 * before they are booked. The newest 2,000.
 */
export async function findWaiting(
  reader: Reader,
  { timeZone, currency }: Scope,
): Promise<BankItemRow[]> {
  const where = sql`item.currency = ${currency}
    AND CASE WHEN item.is_booked THEN item.at >= coalesce((SELECT min(started_at) FROM bank_start), '-infinity')
             ELSE EXISTS (SELECT FROM bank_match
                           WHERE item_id = item.id AND kind = item.kind AND undone_at IS NULL) END`;
  const found = await findItems(reader, { where, timeZone, limit: MOST_WAITING });
  return found.filter(({ openMinor, isBooked }) => !isBooked || openMinor !== 0n);
}

/** Items by their kind and id; one that does not exist is left out. */
export async function itemsById(
  reader: Reader,
  timeZone: string,
  wanted: readonly { kind: BankItemKind; itemId: string | null }[],
): Promise<BankItemRow[]> {
  const ids = wanted.flatMap(({ itemId }) => itemId ?? []);
  if (ids.length === 0) return [];
  const where = sql`item.id = ANY (${ids}::uuid[])`;
  const found = await findItems(reader, { where, timeZone, limit: MOST_ITEMS });
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
  const where = sql`item.currency = ${currency} AND item.is_booked AND item.at < ${before}
    AND item.at >= (SELECT min(started_at) FROM bank_start)`;
  return (await findItems(reader, { where, timeZone, limit: MOST_ITEMS })).filter(isOpen);
}
