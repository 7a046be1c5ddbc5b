import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { selectLiveItems } from './items.ts';
import type { NextItem } from './items.ts';
import { keepReasons, refusalWords } from './refused.ts';
import type { Refused } from './refused.ts';

/**
 * Keeps the reason on each payment that was refused, and takes it from those that were posted now. Administrators are notified
 * of each once.
 */
export async function keepRefused(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  chunk: {
    file: { id: string; number: number };
    items: readonly NextItem[];
    refused: readonly Refused[];
  },
): Promise<void> {
  const { file, items, refused } = chunk;
  const ids = items.map(({ id }) => id);
  const payments = await keepReasons(tx, services, 'payout_file_item', { ids, refused });
  if (payments === 0) return;
  const { reasons, counted, reason } = refusalWords(refused, { count: payments, noun: 'payment' });
  record(tx, { actor: 'system' }, 'payout_file.payments_refused', {
    id: file.id,
    at: services.clock.now(),
    details: { payments, reasons },
    words: { payments: counted, file: fileNumber(file.number), reason },
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
