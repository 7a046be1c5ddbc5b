import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayrollOrder } from './order.ts';

/**
 * Two common table expressions, to be put after `WITH`, that decide an order in one snapshot:
 *
 * - `decided` (line_number, user_id, wallet_id): every matching employee, the payable first (their
 *   open wallet of that type), then those to be skipped (wallet_id null), each by name.
 * - `summary` (payable_count, skipped_count, hash): one row. The hash is the SHA-256 over the order
 *   and every line with its decision, so it changes when anybody joins, leaves, is renamed, or opens
 *   or closes a wallet. The batch's name is left out: it tells the date, which may turn meanwhile.
 *
 * Counted and hashed inside the database: 100,000 people take about half a second and no memory here.
 */
export function decideLines(order: PayrollOrder): RawBuilder<unknown> {
  const header = JSON.stringify([
    order.walletType,
    order.department,
    order.amountMinor.toString(),
    order.currency,
    order.description,
  ]);
  return sql`
    decided AS MATERIALIZED (
      SELECT row_number() OVER (
               ORDER BY wallet.id IS NULL, person.last_name, person.first_name, person.id
             )::integer AS line_number,
             person.id AS user_id, wallet.id AS wallet_id
        FROM app_user AS person
        LEFT JOIN wallet ON wallet.user_id = person.id AND wallet.type = ${order.walletType}
                        AND wallet.closed_at IS NULL
       WHERE person.role = 'employee' AND person.deactivated_at IS NULL
         AND (${order.department} = 'all' OR person.department = ${order.department})
    ), summary AS MATERIALIZED (
      SELECT count(wallet_id)::integer AS payable_count,
             (count(*) - count(wallet_id))::integer AS skipped_count,
             sha256(convert_to(${header} || E'\n' || coalesce(string_agg(
               user_id || ' ' || coalesce(wallet_id::text, 'no_wallet'), E'\n' ORDER BY line_number
             ), ''), 'UTF8')) AS hash
        FROM decided
    )`;
}
