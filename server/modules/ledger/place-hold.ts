import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from './errors.ts';

export interface NewHold {
  /** Made when absent. */
  id?: string;
  accountId: string;
  /** Positive, in minor units. */
  amountMinor: bigint;
  /** What people call the request it is for; unique among holds. */
  reference: string;
}

/**
 * Sets money aside that is promised but not gone: available falls, the balance does not. It ends
 * by `releaseHold` or `captureHold`. Returns the hold's id.
 *
 * @throws {LedgerError} `insufficient_funds`, `duplicate_reference`, `unknown_account`.
 */
export async function placeHold(tx: Tx, hold: NewHold): Promise<string> {
  const id = hold.id ?? newId();
  const statement = sql`
    SELECT ledger_hold_place(${id}, ${hold.accountId}, ${hold.amountMinor}, ${hold.reference})`;
  await refusing(statement.execute(tx));
  return id;
}
