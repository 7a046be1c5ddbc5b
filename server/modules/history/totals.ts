import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { REQUEST_KINDS } from './request-kinds.ts';
import type { HistoryScope } from './scope.ts';

/**
 * SQL over rows of `ledger_total`, in minor units. Money that a reversal gave back was not
 * withdrawn, and money that it took back or that was recovered was not received. Moves between a person's own accounts
 * are neither.
 */
export const RECEIVED = sql<bigint>`
  coalesce(sum(CASE kind WHEN 'reversal' THEN -debit WHEN 'recovery' THEN credit - debit
                     WHEN 'move' THEN 0 ELSE credit END), 0)::bigint`;
export const WITHDRAWN = sql<bigint>`
  coalesce(sum(CASE kind WHEN 'reversal' THEN -credit WHEN 'recovery' THEN 0
                     WHEN 'move' THEN 0 ELSE debit END), 0)::bigint`;
/** Amount moved into an account from the person's others, less the amount moved out. */
export const MOVED = sql<bigint>`
  coalesce(sum(credit - debit) FILTER (WHERE kind = 'move'), 0)::bigint`;

interface Posted {
  count: bigint;
  receivedMinor: bigint;
  withdrawnMinor: bigint;
}

/**
 * Figures above a history, from the ledger's monthly totals, so no entries are summed. Received
 * less withdrawn is the sum of all accounts, closed ones too.
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
  const { receivedMinor = 0n, withdrawnMinor = 0n } = posted ?? {};
  return {
    transactions: Number(posted?.count ?? 0n) + (await countUnposted(reader, ownerId)),
    received: money(receivedMinor, currency),
    withdrawn: money(withdrawnMinor, currency),
    currentBalance: money(receivedMinor - withdrawnMinor, currency),
    available: (await listWallets(reader, ownerId)).totalAssets,
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
