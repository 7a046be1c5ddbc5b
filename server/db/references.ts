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

/** As many next references of postings, in one statement. */
export async function nextReferences(tx: Tx, count: number): Promise<string[]> {
  const { rows } = await tx.executeQuery<{ number: bigint }>(
    CompiledQuery.raw(
      `SELECT nextval('reference_number_seq') AS number FROM generate_series(1, $1)`,
      [count],
    ),
  );
  return rows.map(({ number }) => `TXN-${spread(number)}`);
}

/**
 * References under which requests are posted, in their order: `TXN-61803399` for `WD-61803399`. A request of
 * an earlier version may share its number with another thing. If the number belongs to that one, the
 * posting gets the next number.
 */
export async function postingReferences(
  tx: Tx,
  requests: readonly { id: string; reference: string }[],
): Promise<string[]> {
  const digits = requests.map(({ reference }) => reference.slice(reference.indexOf('-') + 1));
  const { rows } = await tx.executeQuery<{ id: string; number: bigint }>(
    CompiledQuery.raw(
      `SELECT one.id, nextval('reference_number_seq') AS number
         FROM unnest($1::text[], $2::uuid[]) AS one (digits, id)
        WHERE NOT EXISTS (SELECT FROM reference_number
                           WHERE digits = one.digits AND thing_id = one.id)`,
      [digits, requests.map(({ id }) => id)],
    ),
  );
  const others = new Map(rows.map(({ id, number }) => [id, spread(number)]));
  return requests.map(({ id }, at) => `TXN-${others.get(id) ?? digits[at]}`);
}

/** Eight digits for the first hundred million numbers; later numbers get more digits in front. */
export function spread(number: bigint): string {
  const digits = String((number * STEP) % BLOCK).padStart(8, '0');
  const block = number / BLOCK;
  return block === 0n ? digits : `${block}${digits}`;
}
