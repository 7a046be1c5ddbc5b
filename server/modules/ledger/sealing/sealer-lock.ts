import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';

/** Sealers take this advisory lock until their transaction ends, so that one works at a time. */
const SEALER_LOCK = 7_067_300_001n;

export interface SealerLock {
  /**
   * Resolves to true if this process may seal now. The lock only saves work: two concurrent sealers cannot
   * both append. So if another session holds it for long and appends nothing, this process seals
   * without it and logs which session holds it.
   */
  mayTakeTurn(tx: Tx): Promise<boolean>;
  /** Notes that the chain has grown: the holder of the lock is working. */
  noteProgress(): void;
}

export function createSealerLock(log: Log): SealerLock {
  let heldBackSinceMs: number | null = null;
  return {
    async mayTakeTurn(tx) {
      const { rows } = await sql<{ isMine: boolean }>`
        SELECT pg_try_advisory_xact_lock(${SEALER_LOCK}) AS is_mine`.execute(tx);
      if (rows[0]?.isMine === true) {
        heldBackSinceMs = null;
        return true;
      }
      heldBackSinceMs ??= performance.now();
      if (performance.now() - heldBackSinceMs < LIMITS.seal.patienceMs) return false;
      const msg =
        "Another session holds the sealer's lock and seals nothing; continuing without the lock";
      log.warn({ msg, holder: await readHolder(tx) });
      return true;
    },
    noteProgress() {
      heldBackSinceMs = null;
    },
  };
}

async function readHolder(tx: Tx): Promise<unknown> {
  const { rows } = await sql`
    SELECT activity.pid, activity.usename AS role, activity.application_name AS application,
           activity.client_addr::text AS address
      FROM pg_locks AS lock JOIN pg_stat_activity AS activity ON activity.pid = lock.pid
     WHERE lock.locktype = 'advisory' AND lock.granted AND activity.datname = current_database()
       AND (lock.classid::bigint << 32) + lock.objid::bigint = ${SEALER_LOCK}`.execute(tx);
  return rows[0] ?? null;
}
