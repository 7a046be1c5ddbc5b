import { sql } from 'kysely';
import { doInHalves } from '#server/db/savepoint.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { LedgerError } from '#server/modules/ledger/index.ts';
import type { LedgerErrorCode } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { selectLiveItems } from './items.ts';
import type { NextItem } from './items.ts';

/** A payment that could not be posted, with the sentence that says why. */
export interface RefusedItem {
  traceNumber: string;
  why: string;
}

/**
 * Posts what can be posted of a chunk: all of it or, if something is refused, each payment that is not.
 *
 * @param post posts these or throws; its rows have been locked
 * @returns the payments that were refused
 * @throws whatever is no refusal of a payment, as a lost connection or a closed month: then nothing of it was done
 */
export async function postApart<Item extends NextItem>(
  tx: Tx,
  items: readonly Item[],
  post: (items: readonly Item[]) => Promise<void>,
): Promise<RefusedItem[]> {
  const refused: RefusedItem[] = [];
  await doInHalves(tx, items, {
    attempt: post,
    isRefusal: (error) => whyOf(error) !== null,
    refuse: ({ traceNumber }, error) => refused.push({ traceNumber, why: whyOf(error) ?? '' }),
  });
  return refused;
}

const REFUSALS: Partial<Record<LedgerErrorCode, string>> = {
  hold_not_held: 'Its amount is no longer on hold.',
  insufficient_funds: 'The account does not have the amount.',
  duplicate_reference: 'Its reference belongs to another transaction.',
  balance_differs: 'A stored balance was changed past the ledger. See System Health.',
};

/** The sentence about a payment that is refused; null for an error that is about no single payment. */
function whyOf(error: unknown): string | null {
  if (error instanceof LedgerError) {
    return REFUSALS[error.code] ?? `The ledger refused it (${error.code}).`;
  }
  const isOfAll = !(error instanceof AppError) || error.code === 'month_closed';
  return isOfAll ? null : error.message;
}

/** Keeps the reason on each payment that was refused, and takes it from those that were posted now. */
export async function keepRefused(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  chunk: {
    file: { id: string };
    items: readonly NextItem[];
    refused: readonly RefusedItem[];
  },
): Promise<void> {
  const { file, items, refused } = chunk;
  const traces = items.map(({ traceNumber }) => traceNumber);
  const { rows } = await sql<{ isNew: boolean }>`
    WITH one AS (
      SELECT item.id, item.refused_why AS before, refused.why
        FROM payout_file_item AS item
        LEFT JOIN unnest(${refused.map((item) => item.traceNumber)}::text[], ${refused.map((item) => item.why)}::text[])
          AS refused (trace_number, why) USING (trace_number)
       WHERE item.file_id = ${file.id} AND item.trace_number = ANY (${traces}::text[])
         AND coalesce(item.refused_why, refused.why) IS NOT NULL
    )
    UPDATE payout_file_item AS item
       SET refused_why = one.why, refused_at = CASE WHEN one.why IS NOT NULL THEN ${clock.now()}::timestamptz END
      FROM one WHERE item.id = one.id
    RETURNING one.why IS DISTINCT FROM one.before AND one.why IS NOT NULL AS is_new`.execute(tx);
  const count = rows.filter(({ isNew }) => isNew).length;
  if (count === 0) return;
  record(tx, { actor: 'system' }, 'payout_file.payments_refused', {
    id: file.id,
    details: { payments: count, reasons: [...new Set(refused.map(({ why }) => why))] },
  });
}

/** The payments of a file that were refused, those first that were tried the longest time ago. */
export function refusedItems(reader: Reader, fileId: string, limit: number): Promise<NextItem[]> {
  return selectLiveItems(reader, fileId)
    .where('refusedWhy', 'is not', null)
    .orderBy('refusedAt')
    .orderBy('traceNumber')
    .limit(limit)
    .execute();
}

/** True while a payment of a file is refused. */
export async function hasRefused(reader: Reader, fileId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payout_file_item
     WHERE file_id = ${fileId} AND is_live AND refused_why IS NOT NULL LIMIT 1`.execute(reader);
  return rows.length > 0;
}
