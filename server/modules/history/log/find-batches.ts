import { sql } from 'kysely';
import { hasWordsNow } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { endOfDay, startOfDay } from '../days.ts';

/** Maximum number of batches that a search reads one by one, newest first. */
export const MOST_BATCHES = 40;

/**
 * `PAY-0049`, `PAY-0049-01`, `IF-00`, `PAY-0049-0148-R`: number of a batch or the beginning of it, of a line's, or of a
 * reversal's.
 */
const BATCH_REFERENCE = /^(PAY|IF)-(\d+)(-\d*(?:-?R?\d*)?)?$/i;

/** A payroll or a funding whose lines are in the log. */
export interface LogBatch {
  id: string;
  /** Kind of its postings. */
  kind: string;
  /** Its lines were posted between these moments; null while it is being paid. */
  startedAt: Date;
  endedAt: Date | null;
  /** Only the lines whose references begin with this; null for all. */
  linePrefix: string | null;
}

interface BatchRow {
  id: string;
  number: string;
  kind: string;
  startedAt: Date;
  endedAt: Date | null;
}

interface Wanted {
  search: string;
  /** First and last day, `2026-12-08`; '' where there is none. */
  from: string;
  to: string;
  /** Time zone of these days. */
  timeZone: string;
}

/**
 * Newest batches of these days that match a search in their name, number or description, or by the
 * beginning of their lines' references. There are a few dozen batches a year and a few hundred
 * fundings, so no index is needed.
 *
 * @returns at most `MOST_BATCHES`; `isCut` if there are more
 */
export async function findBatches(
  reader: Reader,
  { search, from, to, timeZone }: Wanted,
): Promise<{ batches: LogBatch[]; isCut: boolean }> {
  const [, prefix, number = '', line] = BATCH_REFERENCE.exec(search) ?? [];
  const isNumbered =
    line === undefined ? sql`batch.number LIKE ${`${number}%`}` : sql`batch.number = ${number}`;
  const isFound =
    prefix === undefined
      ? hasWordsNow(sql`batch.name || ' ' || batch.number || ' ' || batch.description`, search)
      : sql`${isNumbered} AND (batch.funding_type IS NOT NULL) = ${prefix.toUpperCase() === 'IF'}`;
  const { rows } = await sql<BatchRow>`
    SELECT batch.id, batch.number, posting.kind, batch.started_at,
           batch.processed_at AS ended_at
      FROM payroll_batch AS batch
      JOIN LATERAL (
        SELECT one.kind FROM payroll_line AS line
          JOIN ledger_transaction AS one ON one.id = line.ledger_transaction_id
         WHERE line.batch_id = batch.id AND line.ledger_transaction_id IS NOT NULL
         LIMIT 1) AS posting ON true
     WHERE batch.started_at IS NOT NULL AND ${isFound}
       AND ${to === '' ? sql`true` : sql`batch.started_at < ${endOfDay(to, timeZone)}`}
       AND ${from === '' ? sql`true` : sql`coalesce(batch.processed_at, 'infinity') >= ${startOfDay(from, timeZone)}`}
     ORDER BY batch.created_at DESC, batch.id DESC LIMIT ${MOST_BATCHES + 1}`.execute(reader);
  return {
    batches: rows.slice(0, MOST_BATCHES).map((batch) => ({
      ...batch,
      linePrefix: line === undefined ? null : `${prefix}-${number}${line}`.toUpperCase(),
    })),
    isCut: rows.length > MOST_BATCHES,
  };
}
