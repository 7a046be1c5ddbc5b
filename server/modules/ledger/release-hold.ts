import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { refusing } from './errors.ts';

/**
 * Makes what a hold had set aside available again.
 *
 * @throws {LedgerError} `hold_not_held` when it has been released or captured, or never was.
 */
export async function releaseHold(tx: Tx, holdId: string): Promise<void> {
  await refusing(sql`SELECT ledger_hold_release(${holdId})`.execute(tx));
}
