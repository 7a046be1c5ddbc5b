import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { FUNDING_TYPE_IDS } from '#contract/funding.ts';
import type { FundingType } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { DIRECTORY_WORDS, hasWords } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { PAYROLL, paidScope, payments } from './paid-scope.ts';
import type { PaidFilter, PaidScope } from './paid-scope.ts';

/** Minor units of each kind of payment, and of all together. */
export type PaidAmounts = Record<FundingType | typeof PAYROLL | 'total', bigint>;

interface KindSum {
  kind: string;
  minor: bigint;
}

/** Adds up sums by kind; a kind without one is 0. */
export function amountsOf(sums: readonly KindSum[]): PaidAmounts {
  const sumOf = (kind: string) =>
    sums.reduce((sum, one) => (one.kind === kind ? sum + one.minor : sum), 0n);
  return {
    [PAYROLL]: sumOf(PAYROLL),
    ...(Object.fromEntries(FUNDING_TYPE_IDS.map((type) => [type, sumOf(type)])) as Record<
      FundingType,
      bigint
    >),
    total: sums.reduce((sum, { minor }) => sum + minor, 0n),
  };
}

/** A reimbursement stands apart: it pays back what a person spent. */
export function presentAmounts({ total, reimbursement, payroll }: PaidAmounts, currency: Currency) {
  return {
    payroll: money(payroll, currency),
    funding: money(total - payroll - reimbursement, currency),
    reimbursement: money(reimbursement, currency),
    total: money(total, currency),
  };
}

/** So many payments of chosen people are added up while someone waits; of more there is no total. */
const MOST_ADDED = 300_000;

/**
 * Total paid to the people of a filter within its days; null where too many payments of
 * chosen people would have to be added up.
 */
export async function paidTotals(
  reader: Reader,
  filter: PaidFilter,
): Promise<RouteReply<'adminPaidTotals'>> {
  const scope = await paidScope(reader, filter);
  const isOfEveryone = filter.search === '' && filter.department === 'all';
  const sums = isOfEveryone
    ? await sumEveryone(reader, scope)
    : await sumChosen(reader, scope, filter);
  return {
    amounts: sums === null ? null : presentAmounts(amountsOf(sums), scope.settings.currency),
  };
}

async function sumChosen(
  reader: Reader,
  scope: PaidScope,
  { search, department }: PaidFilter,
): Promise<KindSum[] | null> {
  const conditions: RawBuilder<boolean>[] = [
    ...(search === '' ? [] : [hasWords(DIRECTORY_WORDS, search)]),
    ...(department === 'all' ? [] : [sql<boolean>`app_user.department = ${department}`]),
  ];
  const isOf = sql<boolean>`wallet.user_id IN (
    SELECT app_user.id FROM app_user WHERE ${sql.join(conditions, sql` AND `)})`;
  const { rows } = await sql<KindSum & { count: bigint }>`
    SELECT kind, sum(minor)::bigint AS minor, sum(count(*)) OVER ()::bigint AS count
      FROM (SELECT * FROM ${payments(scope, isOf)} LIMIT ${MOST_ADDED} + 1) AS added
     GROUP BY kind`.execute(reader);
  return Number(rows[0]?.count ?? 0n) > MOST_ADDED ? null : rows;
}

/**
 * Batches whose lines were all paid within the days have their sum in their row; of the others, which lie
 * on the edge of the days or are being paid, the lines are read. What was taken back comes from the
 * reversals, which are few.
 */
async function sumEveryone(reader: Reader, { start, end }: PaidScope): Promise<KindSum[]> {
  const isInside = sql`batch.started_at >= ${start} AND batch.processed_at < ${end}`;
  const { rows } = await sql<KindSum>`
    SELECT coalesce(funding_type, ${PAYROLL}) AS kind, sum(paid_minor)::bigint AS minor
      FROM payroll_batch AS batch WHERE ${isInside} GROUP BY 1
    UNION ALL
    SELECT coalesce(batch.funding_type, ${PAYROLL}), sum(line.amount_minor)::bigint
      FROM payroll_batch AS batch
      JOIN payroll_line AS line ON line.batch_id = batch.id
      JOIN ledger_transaction AS one ON one.id = line.ledger_transaction_id
     WHERE (${isInside}) IS NOT TRUE AND batch.started_at < ${end}
       AND coalesce(batch.processed_at, 'infinity') >= ${start}
       AND one.effective_at >= ${start} AND one.effective_at < ${end}
     GROUP BY 1
    UNION ALL
    SELECT coalesce(batch.funding_type, ${PAYROLL}), sum(entry.amount)::bigint
      FROM ledger_transaction AS one
      JOIN payroll_line AS line ON line.id = one.subject_id
      JOIN payroll_batch AS batch ON batch.id = line.batch_id
      JOIN ledger_entry AS entry ON entry.transaction_id = one.id
      JOIN wallet ON wallet.ledger_account_id = entry.account_id
     WHERE one.kind IN ('reversal', 'recovery') AND one.effective_at >= ${start} AND one.effective_at < ${end}
     GROUP BY 1`.execute(reader);
  return rows;
}
