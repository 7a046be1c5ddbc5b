import { sql } from 'kysely';
import { doInHalves } from '#server/db/savepoint.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { LedgerError } from '#server/modules/ledger/index.ts';
import type { LedgerErrorCode } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';

/** A payment or a return that could not be posted, with the sentence that says why. */
export interface Refused {
  id: string;
  why: string;
  error: unknown;
}

/**
 * Posts what can be posted of a chunk: all of it or, if something is refused, each one that is not.
 *
 * @param post posts these or throws; its rows have been locked
 * @param isOfAll true for a further error that is about no single one
 * @returns those that were refused
 * @throws whatever is no refusal of a single one, as a lost connection or a closed month: then nothing of it was done
 */
export async function postApart<One extends { id: string }>(
  tx: Tx,
  all: readonly One[],
  post: (some: readonly One[]) => Promise<void>,
  isOfAll: (error: unknown) => boolean = () => false,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  await doInHalves(tx, all, {
    attempt: post,
    isRefusal: (error) => !isOfAll(error) && whyOf(error) !== null,
    refuse: ({ id }, error) => refused.push({ id, why: whyOf(error) ?? '', error }),
  });
  return refused;
}

const REFUSALS: Partial<Record<LedgerErrorCode, string>> = {
  hold_not_held: 'Its amount is no longer on hold.',
  insufficient_funds: 'The account does not have the amount.',
  already_reversed: 'Its payment was reversed already.',
  duplicate_reference: 'Its reference belongs to another transaction.',
  balance_differs: 'A stored balance was changed past the ledger. See System Health.',
};

/** The sentence about one that is refused; null for an error that is about no single one. */
function whyOf(error: unknown): string | null {
  if (error instanceof LedgerError) {
    return REFUSALS[error.code] ?? `The ledger refused it (${error.code}).`;
  }
  const isOfAll = !(error instanceof AppError) || error.code === 'month_closed';
  return isOfAll ? null : error.message;
}

/**
 * Keeps the reason on each row that was refused, and takes it from those that were posted now.
 *
 * @returns number of rows that were not refused before
 */
export async function keepReasons(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  table: 'payout_file_item' | 'return_entry',
  { ids, refused }: { ids: readonly string[]; refused: readonly Refused[] },
): Promise<number> {
  const { rows } = await sql<{ isNew: boolean }>`
    WITH one AS (
      SELECT thing.id, thing.refused_why AS before, refused.why
        FROM ${sql.table(table)} AS thing
        LEFT JOIN unnest(${refused.map(({ id }) => id)}::uuid[], ${refused.map(({ why }) => why)}::text[])
          AS refused (id, why) USING (id)
       WHERE thing.id = ANY (${ids}::uuid[]) AND coalesce(thing.refused_why, refused.why) IS NOT NULL
    )
    UPDATE ${sql.table(table)} AS thing
       SET refused_why = one.why, refused_at = CASE WHEN one.why IS NOT NULL THEN ${clock.now()}::timestamptz END
      FROM one WHERE thing.id = one.id
    RETURNING one.before IS NULL AS is_new`.execute(tx);
  return rows.filter(({ isNew }) => isNew).length;
}

/** Each reason once, with words about them for a notification. */
export function refusalWords(
  refused: readonly Refused[],
  { count, noun }: { count: number; noun: string },
): { reasons: string[]; counted: string; reason: string } {
  const reasons = [...new Set(refused.map(({ why }) => why))];
  const [reason = ''] = reasons;
  const counted = `${count} ${noun}${count === 1 ? '' : 's'}`;
  return { reasons, counted, reason: reasons.length > 1 ? 'Their page says why.' : reason };
}
