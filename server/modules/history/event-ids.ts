import { sql } from 'kysely';
import type { HistoryItem } from '#contract/api.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { REQUEST_KINDS } from './request-kinds.ts';

/**
 * All ids that a row of a history has had, the present one last. A request gets the id of its
 * posting when it is posted. Does not check the owner.
 *
 * @param id the row's id, now or before it was posted
 */
export async function eventIdsOf(reader: Reader, id: string): Promise<HistoryItem['id'][]> {
  const [thing = '', type] = id.split('.');
  const wallet = invariant(
    WALLET_TYPES.find((known) => known === type),
    'the id of a row names its account',
  );
  const requests = REQUEST_KINDS.map(
    ({ table }) => sql`
      SELECT id, ledger_transaction_id FROM ${sql.table(table)}
       WHERE id IN (${thing}, (SELECT subject_id FROM ledger_transaction WHERE id = ${thing}))`,
  );
  const { rows } = await sql<{ id: string; ledgerTransactionId: string | null }>`
    ${sql.join(requests, sql` UNION ALL `)}`.execute(reader);
  const posted = rows[0]?.ledgerTransactionId;
  const both = posted == null ? [] : [rows[0]?.id ?? thing, posted];
  // A reversal has the same subject and is a row of its own.
  const ids = both.includes(thing) ? both : [thing];
  return ids.map((one): HistoryItem['id'] => `${one}.${wallet}`);
}
