import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/** The advisory lock under which payrolls are confirmed; any numbers. */
const CONFIRMING_LOCK = 7_265_003;

/**
 * Puts confirmations of payrolls in a row until the end of their transactions: two at the same moment
 * would each decide on a snapshot without the other's batch, and both pass. A statement of its own before
 * the deciding one, so that the snapshot of that one is taken after the wait and shows what the other
 * committed. An advisory lock, because there is no row that all batches share.
 */
export function lockConfirming(tx: Tx): Promise<unknown> {
  return sql`SELECT pg_advisory_xact_lock(${CONFIRMING_LOCK}, 0)`.execute(tx);
}

/** Lets fundings of different people run concurrently, and none while a payroll is confirmed. */
export function shareConfirming(tx: Tx): Promise<unknown> {
  return sql`SELECT pg_advisory_xact_lock_shared(${CONFIRMING_LOCK}, 0)`.execute(tx);
}
