import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { Check, Finding } from '#server/modules/ledger/index.ts';
import type { ScopedCheck } from './check.ts';
import { within } from './scope.ts';
import type { Scope } from './scope.ts';

/** A finding, and which check made it. */
export interface Problem extends Finding {
  check: string;
}

const FINDINGS_PER_CHECK = 20;

/**
 * The checks as the ledger has them, for that scope. Each is planned for all it reads, however few
 * findings the caller takes: a limit on it would make the planner look for the first rows first.
 */
export async function checksFor(
  reader: Reader,
  checks: readonly ScopedCheck[],
  scope: Scope,
): Promise<Check[]> {
  const conditions = await within(reader, scope);
  return checks.map(({ name, query }) => ({
    name,
    query: sql<Finding>`WITH finding AS MATERIALIZED (${query(conditions)})
      SELECT id, what FROM finding`,
  }));
}

/**
 * Asks the checks one after another, at most 20 findings each; changes nothing. For one answer about
 * one moment, `tx` is a repeatable-read transaction.
 */
export async function runChecks(
  tx: Tx,
  checks: readonly ScopedCheck[],
  scope: Scope = 'whole',
): Promise<Problem[]> {
  // A plan that is kept would be for any ids; these want one for their own number.
  await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx);
  const problems: Problem[] = [];
  for (const { name, query } of await checksFor(tx, checks, scope)) {
    const { rows } = await sql<Finding>`
      SELECT id, what FROM (${query}) AS finding LIMIT ${FINDINGS_PER_CHECK}`.execute(tx);
    problems.push(...rows.map((finding) => ({ check: name, ...finding })));
  }
  return problems;
}
