import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';

/**
 * Keeps where the comparison of bank and ledger begins: balances of the ledger's system accounts before the first
 * statement's first day, in the company's time. A later account of the company begins with its whole opening balance.
 *
 * @returns by how much the bank's opening balance differs from what was owed then, in minor units
 */
export async function startBooks(
  tx: Tx,
  { from, openingMinor }: { from: string; openingMinor: bigint },
): Promise<bigint> {
  const { rows: begun } = await sql`SELECT FROM bank_statement LIMIT 1`.execute(tx);
  if (begun.length > 0) return openingMinor;
  const { timeZone, currency } = await readSettings(tx);
  const { rows } = await sql<{ balanceMinor: bigint }>`
    INSERT INTO bank_start (ledger_account_id, balance_minor, started_at)
    SELECT account.id, coalesce(last.balance_after, 0), started.at
      FROM (SELECT (${from}::date)::timestamp AT TIME ZONE ${timeZone} AS at) AS started
     CROSS JOIN ledger_account AS account
      LEFT JOIN LATERAL (
        SELECT balance_after FROM ledger_entry
         WHERE account_id = account.id AND effective_at < started.at
         ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS last ON true
     WHERE account.code IS NOT NULL AND account.currency = ${currency}
    RETURNING balance_minor`.execute(tx);
  // All accounts sum to zero, so people have what the system accounts lack.
  const owedMinor = -rows.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n);
  return openingMinor - owedMinor;
}
