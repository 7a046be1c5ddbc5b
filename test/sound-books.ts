import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Problem } from '#server/modules/ledger/index.ts';
import { askChecks, businessChecks } from '#server/modules/verification/index.ts';
import type { ScopedCheck } from '#server/modules/verification/index.ts';

/**
 * Findings of these checks about everything. Plans are kept, unlike in `runChecks`: a test asks the same checks many times about
 * a few rows, and planning them takes ten times as long as their answer.
 */
export async function problemsIn(tx: Tx, checks: readonly ScopedCheck[]): Promise<Problem[]> {
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
  return askChecks(tx, checks);
}

/**
 * Expects that the verification finds nothing: what is changed without its record stops payouts.
 *
 * @param of.about id of the person or thing, where a test has tampered with others
 */
export async function expectSoundBooks(db: Db, { about }: { about?: string } = {}): Promise<void> {
  const problems = await withTx(db, (tx) => problemsIn(tx, businessChecks));
  expect(problems.filter(({ id }) => about === undefined || id === about)).toEqual([]);
}
