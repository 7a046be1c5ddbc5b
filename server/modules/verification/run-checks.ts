import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { findingsOf } from '#server/modules/ledger/index.ts';
import type { Check, Problem, Scope } from '#server/modules/ledger/index.ts';
import type { ScopedCheck } from './check.ts';
import { within } from './scope.ts';

const WHOLE: Scope = { afterHeight: null };

/** The checks of everything: they are the same for every database. */
const whole = new WeakMap<ScopedCheck, Check>();

/**
 * The checks as the ledger has them, for that scope.
 *
 * @param mostListed maximum number of ids that a statement lists
 */
export async function checksFor(
  reader: Reader,
  checks: readonly ScopedCheck[],
  scope: Scope,
  mostListed?: number,
): Promise<Check[]> {
  const conditions = await within(reader, scope, mostListed);
  return checks.map((check) => {
    const known = scope.afterHeight === null ? whole.get(check) : undefined;
    const made = known ?? { name: check.name, query: check.query(conditions) };
    if (scope.afterHeight === null) whole.set(check, made);
    return made;
  });
}

/**
 * Asks the checks, which are sent together, at most 20 findings each; changes nothing. For one answer about
 * one moment, `tx` is a repeatable-read transaction.
 */
export async function runChecks(
  tx: Tx,
  checks: readonly ScopedCheck[],
  scope: Scope = WHOLE,
  mostListed?: number,
): Promise<Problem[]> {
  // A plan that is kept would be for any ids; these want one for their own number.
  await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx);
  return askChecks(tx, checks, scope, mostListed);
}

/** Asks the checks by the plans that the transaction allows. */
export async function askChecks(
  tx: Tx,
  checks: readonly ScopedCheck[],
  scope: Scope = WHOLE,
  mostListed?: number,
): Promise<Problem[]> {
  const asked = (await checksFor(tx, checks, scope, mostListed)).map(async ({ name, query }) =>
    (await findingsOf(tx, query)).map((finding) => ({ check: name, ...finding })),
  );
  return (await Promise.all(asked)).flat();
}
