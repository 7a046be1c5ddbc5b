import { expect } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';

/** Expects that the verification finds nothing: what is changed without its record stops payouts. */
export async function expectSoundBooks(db: Db): Promise<void> {
  expect(await withTx(db, (tx) => runChecks(tx, businessChecks))).toEqual([]);
}
