import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { Check, Finding, Problem, Scope } from '#server/modules/ledger/index.ts';
import type { ScopedCheck } from './check.ts';
import { within } from './scope.ts';

const FINDINGS_PER_CHECK = 20;
const WHOLE: Scope = { afterHeight: null };

/** The checks as the ledger has them, for that scope. */
export async function checksFor(
  reader: Reader,
  checks: readonly ScopedCheck[],
  scope: Scope,
): Promise<Check[]> {
  const conditions = await within(reader, scope);
  return checks.map(({ name, query }) => ({ name, query: query(conditions) }));
}

/**
 * Asks the checks one after another, at most 20 findings each; changes nothing. For one answer about
 * one moment, `tx` is a repeatable-read transaction.
 */
export async function runChecks(
  tx: Tx,
  checks: readonly ScopedCheck[],
  scope: Scope = WHOLE,
): Promise<Problem[]> {
  // A plan that is kept would be for any ids; these want one for their own number.
  await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx);
  const problems: Problem[] = [];
  for (const { name, query } of await checksFor(tx, checks, scope)) {
    // Planned for all that it reads: for a limit the planner would look for the first findings first.
    const { rows } = await sql<Finding>`
      WITH finding AS MATERIALIZED (${query})
      SELECT id, what FROM finding LIMIT ${FINDINGS_PER_CHECK}`.execute(tx);
    problems.push(...rows.map((finding) => ({ check: name, ...finding })));
  }
  return problems;
}
