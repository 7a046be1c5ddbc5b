import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';

/** Tables of requests that can be sent again after the bank sent them back. */
type Resent = 'withdrawal' | 'bill';

/** A request in the chain of another one: `WD-61803399-2`, which sends `WD-61803399` again. */
export interface Attempt {
  readonly id: string;
  readonly reference: string;
}

/**
 * SQL of the request that a row sends again, and of the one that sends the row again; each null if there is none. One that
 * was cancelled or rejected sends nothing.
 *
 * @param row name of the row; that of the table if left out
 */
export function otherAttempts(table: Resent, row: string = table) {
  const attempt = sql.raw(`json_build_object('id', other.id, 'reference', other.reference)`);
  return [
    sql<Attempt | null>`CASE WHEN ${sql.raw(row)}.resends_id IS NOT NULL THEN (
      SELECT ${attempt} FROM ${sql.table(table)} AS other
       WHERE other.id = ${sql.raw(row)}.resends_id) END`.as('resends'),
    sql<Attempt | null>`CASE WHEN ${sql.raw(row)}.status = 'returned' THEN (
      SELECT ${attempt} FROM ${sql.table(table)} AS other
       WHERE other.resends_id = ${sql.raw(row)}.id
         AND other.status NOT IN ('rejected', 'cancelled')) END`.as('resentAs'),
  ] as const;
}

/**
 * The reference of the next attempt of a returned request: that of the first one with the number of the attempt. Numbers of
 * attempts that were cancelled or rejected are not used again. The owner's row has been locked.
 */
export async function nextAttempt(tx: Tx, table: Resent, id: string): Promise<string> {
  const { rows } = await sql<{ reference: string }>`
    WITH RECURSIVE earlier AS (
      SELECT id, resends_id, reference FROM ${sql.table(table)} WHERE id = ${id}
      UNION ALL
      SELECT former.id, former.resends_id, former.reference
        FROM ${sql.table(table)} AS former JOIN earlier ON earlier.resends_id = former.id)
    SELECT reference || '-' || 2 + (
             SELECT count(*) FROM ${sql.table(table)} WHERE resends_id IN (SELECT id FROM earlier)) AS reference
      FROM earlier WHERE resends_id IS NULL`.execute(tx);
  return invariant(rows[0], `no ${table} ${id}`).reference;
}

/**
 * SQL of true for a request, or one that sends it again, whose return another bank has rejected (dishonored), unless that was
 * contested since: its money may have arrived.
 */
export function isReturnDisputed(table: Resent, row: string): RawBuilder<boolean> {
  return sql.raw(`((${row}.status = 'returned' OR ${row}.resends_id IS NOT NULL) AND coalesce((
    SELECT entry.kind = 'dishonored'
      FROM payout_file_item AS item
      JOIN return_entry AS entry ON entry.original_trace = item.trace_number AND entry.item_id = item.id
     WHERE NOT item.is_live AND item.${table}_id IN (${row}.id, ${row}.resends_id)
       AND entry.kind IN ('dishonored', 'contested')
     ORDER BY entry.moved_at DESC, entry.record_number DESC LIMIT 1), false))`);
}

/**
 * SQL of true for a bank account whose bank asked for other details, in a notification of change that nobody has decided on
 * and that is about the account as it is.
 */
export function isChangeOpen(bankAccountId: string): RawBuilder<boolean> {
  return sql.raw(`(${bankAccountId} IN (
    SELECT account.id
      FROM return_entry AS entry
      JOIN payout_file_item AS item ON item.id = entry.item_id
      JOIN withdrawal AS paid ON paid.id = item.withdrawal_id
      JOIN bank_account AS account ON account.id = paid.bank_account_id
     WHERE entry.status = 'proposed' AND account.submitted_at <= paid.requested_at))`);
}

export function refusalOfDispute(isDisputed: boolean): AppError | null {
  return isDisputed ? new AppError('return_disputed') : null;
}
