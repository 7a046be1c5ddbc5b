import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { sortedName } from '#server/db/person-order.ts';
import { startOf } from './already-paid.ts';
import type { PeriodNow } from './already-paid.ts';
import { agreeingBreakdown } from './breakdown.ts';
import { compareWithLast } from './differences.ts';
import type { Comparison } from './last-payroll.ts';
import type { PayrollOrder } from './order.ts';

/**
 * Time in milliseconds for a statement that decides an order: a hundred thousand lines take a second, a million most of a
 * minute where they are written as well.
 */
export const DECIDING_MS = 120_000;

/**
 * Common table expressions, to be put after `WITH`, that decide an order in one snapshot:
 *
 * - `decided` (line_number, user_id, wallet_id, amount_minor, breakdown, problem): everyone of the directory who matches,
 *   or everyone the draft names (with own amounts: who has one), the payable
 *   first (their open wallet of that type), then those to be skipped (wallet_id null) with the reason, each
 *   by name; people who left in this pay period come last, and those who left before it are not listed,
 *   unless a draft names them. Applicants are skipped: nobody has said yet that
 *   they belong to the company.
 * - `last_paid`, `compared`, `difference`: those of `compareWithLast`.
 * - `sent_batch` (id, number): what was sent before to a group whose people may be the same: into the
 *   same type of wallet, to the same department or, on either side, to all. What was cancelled (back
 *   to draft) pays nobody and is left out, as is the funding of one employee.
 * - `summary` (payable_count, skipped_count, outside_count of those skipped who are not with the company,
 *   total_minor and most_minor of those paid,
 *   skipped_reasons as JSON, lines_hash, newest_batch_id, hash): one row. `lines_hash`
 *   is the SHA-256 over the order and every line with its decision, and that of the last payroll, so it changes when anybody joins,
 *   is accepted, leaves, is renamed, or opens or closes a wallet. `hash` is `reviewedHash` of it and of the newest
 *   batch in `sent_batch`, so that one preview is confirmed once: confirming makes a newer batch.
 *   The batch's name is left out: it holds the date, which may change in between.
 *
 * Counted and hashed inside the database: 100,000 people take about half a second and no memory here.
 */
export function decideLines(
  order: PayrollOrder,
  period: PeriodNow,
  comparison: Comparison,
): RawBuilder<unknown> {
  const header = JSON.stringify([
    order.walletType,
    order.department,
    order.amountMinor?.toString() ?? null,
    order.currency,
    order.description,
    order.payOn,
  ]);
  const { amountMinor, department, draftId } = order;
  const isOfDepartment = personIsOf(department);
  const isNamed = draftId !== null;
  return sql`
    decided AS MATERIALIZED (
      SELECT row_number() OVER (
               ORDER BY wallet.id IS NULL, person.deactivated_at IS NOT NULL, ${sortedName('person')},
                        person.first_name, person.id
             )::integer AS line_number,
             person.id AS user_id, wallet.id AS wallet_id,
             ${amountMinor === null ? sql`named.amount_minor` : sql`${amountMinor}::bigint`} AS amount_minor,
             ${amountMinor === null ? agreeingBreakdown('named') : sql`NULL::jsonb`} AS breakdown,
             ${problemOf(order)} AS problem
        FROM app_user AS person
        ${isNamed ? joinNamed(draftId, amountMinor === null) : sql``}
        LEFT JOIN wallet ON wallet.user_id = person.id AND wallet.type = ${order.walletType}
                        AND wallet.closed_at IS NULL AND person.accepted_at IS NOT NULL
                        AND person.deactivated_at IS NULL AND person.is_employee AND ${isOfDepartment}
       WHERE ${
         isNamed
           ? sql`true`
           : sql`person.is_employee AND ${isOfDepartment}
         AND (person.deactivated_at IS NULL OR person.deactivated_at >= ${startOf(period)})`
       }
    ), ${compareWithLast(order, comparison)}, sent_batch AS MATERIALIZED (
      SELECT id, number FROM payroll_batch
       WHERE wallet_type = ${order.walletType} AND status <> 'draft' AND funding_type IS NULL
         AND (${department} IN ('all', 'chosen') OR department IN (${department}, 'all', 'chosen'))
    ), counted AS MATERIALIZED (
      SELECT count(wallet_id)::integer AS payable_count,
             (count(*) - count(wallet_id))::integer AS skipped_count,
             count(*) FILTER (WHERE problem IN ('applicant', 'employee_inactive'))::integer
               AS outside_count,
             coalesce(least(sum(amount_minor) FILTER (WHERE wallet_id IS NOT NULL), ${MOST_BIGINT}), 0)::bigint
               AS total_minor,
             coalesce(max(amount_minor) FILTER (WHERE wallet_id IS NOT NULL), 0) AS most_minor,
             sha256(convert_to(${header}, 'UTF8') || '\\x00'::bytea || coalesce(string_agg(
               ${decisionBytes(amountMinor === null)}, ''::bytea ORDER BY line_number
             ), ''::bytea)) || coalesce((SELECT hash FROM difference), ''::bytea) AS lines_hash
        FROM decided
    ), summary AS MATERIALIZED (
      SELECT counted.*, newest.id AS newest_batch_id,
             (SELECT coalesce(json_agg(json_build_object('reason', problem, 'count', people)
                       ORDER BY people DESC, problem), '[]')
                FROM (SELECT problem, count(*)::integer AS people FROM decided
                       WHERE wallet_id IS NULL GROUP BY problem) AS one) AS skipped_reasons,
             ${reviewedHash(sql`counted.lines_hash`, sql`newest.id`)} AS hash
        FROM counted LEFT JOIN LATERAL (
          -- Numbers are given in the order of sending (sendPayroll's lock); clocks may differ.
          SELECT id FROM sent_batch ORDER BY length(number) DESC, number DESC LIMIT 1
        ) AS newest ON true
    )`;
}

/**
 * SQL of the reason for which an order skips a person; null for those it pays. For a query with `person`, of the
 * columns of `app_user`, and `wallet`: their open wallet of the type, if any.
 */
export function problemOf({
  walletType,
  department,
}: Pick<PayrollOrder, 'walletType' | 'department'>): RawBuilder<unknown> {
  return sql`
    CASE WHEN person.deactivated_at IS NOT NULL OR NOT person.is_employee THEN 'employee_inactive'
         WHEN person.accepted_at IS NULL THEN 'applicant'
         WHEN NOT ${personIsOf(department)} THEN 'other_department'
         WHEN wallet.id IS NULL AND EXISTS (
           SELECT FROM wallet AS closed
            WHERE closed.user_id = person.id AND closed.type = ${walletType})
         THEN 'wallet_closed'
         WHEN wallet.id IS NULL THEN 'no_wallet' END`;
}

function personIsOf(department: PayrollOrder['department']): RawBuilder<unknown> {
  return sql`(${department} IN ('all', 'chosen') OR person.department = ${department})`;
}

/** SQL that joins the people of a draft as `named`: with own amounts those who have one. */
function joinNamed(draftId: string, hasOwnAmounts: boolean): RawBuilder<unknown> {
  const hasAmount = hasOwnAmounts ? sql`AND named.amount_minor IS NOT NULL` : sql``;
  return sql`JOIN payroll_draft_person AS named ON named.user_id = person.id
             AND named.draft_id = ${draftId}::uuid ${hasAmount}`;
}

/** Greatest value of PostgreSQL's bigint: no limit of a company is as high. */
const MOST_BIGINT = sql.lit('9223372036854775807');

/**
 * SQL of the bytes of a line of `decided` that a hash covers: the person and the wallet, or why there is none, and with own
 * amounts the amount and the hash of its breakdown. As bytes, because the same as words takes three times as long. No text has
 * a zero byte, so the one before the first line ends the words above them.
 */
function decisionBytes(hasOwnAmounts: boolean): RawBuilder<unknown> {
  const own = sql` || int8send(amount_minor)
    || coalesce('\\x01'::bytea || sha256(convert_to(breakdown::text, 'UTF8')), '\\x00'::bytea)`;
  return sql`uuid_send(user_id)
    || coalesce('\\x01'::bytea || uuid_send(wallet_id), '\\x00'::bytea || sha256(convert_to(problem, 'UTF8')))
    ${hasOwnAmounts ? own : sql``}`;
}

/** SQL of a query for the people whom `decided` pays. */
export const PAYABLE = sql`SELECT user_id FROM decided WHERE wallet_id IS NOT NULL`;

/** Content that a preview's hash covers: its lines, and the newest batch sent before it (may be null). */
export function reviewedHash(
  linesHash: RawBuilder<unknown>,
  batchId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`sha256(${linesHash} || coalesce(uuid_send(${batchId}), ''::bytea))`;
}
