import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { PayeeGroup } from '#contract/payouts.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { Reader } from '#server/db/tx.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { recordedActs } from '#server/modules/acts/index.ts';

interface Batch {
  number: number;
  payees: PayeeGroup;
  effectiveOn: string;
  count: number;
  total: string;
}

/** Payout files with their batches and sums. */
export function selectFiles(reader: Reader) {
  return reader
    .selectFrom('payoutFile')
    .innerJoin('appUser as maker', 'maker.id', 'payoutFile.createdBy')
    .selectAll('payoutFile')
    .select(['payoutFile.createdBy as userId', 'maker.name as makerName'])
    .select([
      sql<string>`to_char(made_on, 'YYYY-MM-DD')`.as('madeDay'),
      sql<{ count: number; total: string }>`(
        SELECT json_build_object('count', count(*), 'total', coalesce(sum(amount_minor), 0)::text)
          FROM payout_file_item
         WHERE file_id = payout_file.id AND NOT is_live AND payout_file.status <> 'cancelled')`.as(
        'returned',
      ),
      sql<string | null>`to_char(payout_file.left_bank_on, 'YYYY-MM-DD')`.as('leftBankDay'),
      sql<number>`CASE WHEN unposted_after IS NULL THEN 0 ELSE (
        SELECT count(*)::int FROM payout_file_item
         WHERE file_id = payout_file.id AND is_live
           AND (trace_number > unposted_after OR refused_why IS NOT NULL)) END`.as('unposted'),
      sql<Batch[]>`(
        SELECT json_agg(batch ORDER BY batch.number)
          FROM (SELECT batch_number AS number, payees, to_char(effective_on, 'YYYY-MM-DD') AS "effectiveOn",
                       count(*)::int AS count, sum(amount_minor)::text AS total
                  FROM payout_file_item WHERE file_id = payout_file.id
                 GROUP BY batch_number, payees, effective_on) AS batch)`.as('batches'),
    ])
    .select(recordedActs(payoutFile, 'payout_file.id').as('done'));
}
export type FileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number];

/** A file as lists show it, without the payments that came back. */
export function presentFileRow(
  row: FileRow,
): Omit<RouteReply<'adminGetPayouts'>['files'][number], 'cameBack'> {
  return {
    id: row.id,
    number: fileNumber(row.number),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    effectiveOn: [...new Set(row.batches.map(({ effectiveOn }) => effectiveOn))],
    itemCount: row.itemCount,
    total: money(row.totalMinor, row.currency),
    returned: {
      count: row.returned.count,
      total: money(BigInt(row.returned.total), row.currency),
    },
  };
}
