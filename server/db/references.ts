import { CompiledQuery } from 'kysely';
import { invariant } from '#server/lib/errors.ts';
import type { Tx } from './tx.ts';

/** Prefixes of references that people read out: withdrawals, deposits, bills and their postings. */
type Prefix = 'WD' | 'DEP' | 'BP' | 'TXN';

const BLOCK = 100_000_000n;
/** Coprime to 10^8, so that multiplying by it visits every number of eight digits once. */
const STEP = 61_803_399n;

/**
 * The next reference, `WD-61803399`. All kinds take numbers from one sequence, so no two things
 * share one (docs/ledger.md, "References"). Consecutive numbers are far apart, so that a misheard
 * digit rarely names another person's request, and the company's volume cannot be read off.
 */
export async function nextReference(tx: Tx, prefix: Prefix): Promise<string> {
  const { rows } = await tx.executeQuery<{ number: bigint }>(NEXT_NUMBER);
  return `${prefix}-${spread(invariant(rows[0], 'nextval returned nothing').number)}`;
}

const NEXT_NUMBER = CompiledQuery.raw("SELECT nextval('reference_number_seq') AS number");

/**
 * Reference under which a request is posted: `TXN-61803399` for `WD-61803399`. A request of
 * an earlier version may share its number with another thing. If the number belongs to that one, the
 * posting gets the next number.
 */
export async function postingReference(
  tx: Tx,
  { id, reference }: { id: string; reference: string },
): Promise<string> {
  const digits = reference.slice(reference.indexOf('-') + 1);
  const { rows } = await tx.executeQuery<{ number: bigint }>(
    CompiledQuery.raw(
      `SELECT nextval('reference_number_seq') AS number
        WHERE NOT EXISTS (SELECT FROM reference_number WHERE digits = $1 AND thing_id = $2::uuid)`,
      [digits, id],
    ),
  );
  const [another] = rows;
  return `TXN-${another === undefined ? digits : spread(another.number)}`;
}

/** Eight digits for the first hundred million numbers; later numbers get more digits in front. */
export function spread(number: bigint): string {
  const digits = String((number * STEP) % BLOCK).padStart(8, '0');
  const block = number / BLOCK;
  return block === 0n ? digits : `${block}${digits}`;
}
