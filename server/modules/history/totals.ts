import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { REQUEST_KINDS } from './request-kinds.ts';
import type { HistoryScope } from './scope.ts';

/**
 * Of rows of `ledger_total`, in minor units: what a reversal gave back was not withdrawn, and what it took
 * back was not received.
 */
export const RECEIVED = sql<bigint>`
  coalesce(sum(CASE kind WHEN 'reversal' THEN -debit ELSE credit END), 0)::bigint`;
export const WITHDRAWN = sql<bigint>`
  coalesce(sum(CASE kind WHEN 'reversal' THEN -credit ELSE debit END), 0)::bigint`;

interface Posted {
  count: bigint;
  receivedMinor: bigint;
  withdrawnMinor: bigint;
}

/**
 * The tiles over a history, from the ledger's monthly totals: nothing sums entries. Received less
 * withdrawn is what all accounts have. Closed accounts count, too.
 */
export async function getHistoryTotals(
  reader: Reader,
  { ownerId, accounts, settings: { currency } }: HistoryScope,
): Promise<RouteReply<'getHistoryTotals'>> {
  const { rows } = await sql<Posted>`
    SELECT coalesce(sum(count), 0)::bigint AS count, ${RECEIVED} AS received_minor,
           ${WITHDRAWN} AS withdrawn_minor
      FROM ledger_total
     WHERE account_id = ANY (${accounts.map(({ ledgerAccountId }) => ledgerAccountId)}::uuid[])`.execute(
    reader,
  );
  const [posted] = rows;
  const { totalAssets } = await listWallets(reader, ownerId);
  return {
    transactions: Number(posted?.count ?? 0n) + (await countUnposted(reader, ownerId)),
    received: money(posted?.receivedMinor ?? 0n, currency),
    withdrawn: money(posted?.withdrawnMinor ?? 0n, currency),
    currentBalance: totalAssets,
  };
}

async function countUnposted(reader: Reader, ownerId: string): Promise<number> {
  const counts = REQUEST_KINDS.map(
    ({ table }) => sql`SELECT count(*) AS count FROM ${sql.table(table)}
      WHERE user_id = ${ownerId} AND ledger_transaction_id IS NULL`,
  );
  const { rows } = await sql<{ count: bigint }>`${sql.join(counts, sql` UNION ALL `)}`.execute(
    reader,
  );
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}
