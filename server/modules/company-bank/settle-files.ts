import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { settlePayoutFiles } from '#server/modules/payouts/index.ts';
import type { Services } from '#server/services.ts';

/** A sent file of which lines have everything, with its last line. */
interface Paid {
  id: string;
  /** `2026-12-04` */
  leftBankOn: string;
  bankReference: string | null;
  lineId: string;
}

/**
 * Settles those of the files that are sent, and that statement lines have as a whole. A file that was settled before, by hand
 * or by a line whose match was taken back, stays as it is, also if that is still being committed. The caller holds the lock
 * of items.
 */
export async function settleFiles(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<Paid>`
    SELECT file.id, line.booked_on::text AS left_bank_on, line.bank_reference, line.id AS line_id
      FROM payout_file AS file
     CROSS JOIN LATERAL (
       SELECT sum(match.amount_minor) AS minor FROM bank_match AS match
        WHERE match.item_id = file.id AND match.kind = 'payout_file' AND match.undone_at IS NULL) AS matched
     CROSS JOIN LATERAL (
       SELECT line.id, line.booked_on,
              CASE WHEN char_length(line.bank_reference) BETWEEN 1 AND 35 THEN line.bank_reference END AS bank_reference
         FROM bank_match AS match JOIN bank_line AS line ON line.id = match.line_id
        WHERE match.item_id = file.id AND match.kind = 'payout_file' AND match.undone_at IS NULL
        ORDER BY line.booked_on DESC, line.id DESC LIMIT 1) AS line
     WHERE file.id = ANY (${ids}::uuid[]) AND file.status = 'sent' AND matched.minor = -file.total_minor
     ORDER BY file.id FOR NO KEY UPDATE OF file`.execute(tx);
  await settlePayoutFiles(tx, services, rows);
}
