import { expect } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';

/**
 * Expects that the verification finds nothing: what is changed without its record stops payouts.
 *
 * @param of.about id of the person or thing, where a test has tampered with others
 */
export async function expectSoundBooks(db: Db, { about }: { about?: string } = {}): Promise<void> {
  const problems = await withTx(db, (tx) => runChecks(tx, businessChecks));
  expect(problems.filter(({ id }) => about === undefined || id === about)).toEqual([]);
}
