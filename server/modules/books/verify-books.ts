import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { isBeingReplaced, verifyLedger } from '#server/modules/ledger/index.ts';
import type { Pace, Scope, TrustedKeys, Verification } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';
import { beginRun, endRun, lastSoundHeight } from './runs.ts';

/** Dependencies of a verification of the books. */
export interface BooksVerifier {
  /** A pool whose connections may run long statements. */
  db: Db;
  services: Pick<Services, 'clock'>;
  keys: TrustedKeys;
  roots: RootStore;
  log: Log;
  /** Way to read the database; `gentle` if left out. */
  pace?: Pace;
}

/** An arbitrary number. A process that verifies the books holds this advisory lock. */
export const VERIFYING_LOCK = 7_265_004;

/**
 * Verifies the ledger, compares it with the business tables, and stores the result. The extent is
 * everything, or the rows after the last sound run. It runs query by query, with pauses, so that
 * people notice nothing of it. Only one run at a time in all processes; otherwise it does nothing.
 *
 * If it finds a problem, payouts stop (unless the company decided otherwise) and every admin is
 * notified. When a run of everything finds none, payouts resume.
 *
 * While a newer version has migrated the database, its processes verify, and this one does nothing: the changes of that
 * version would be problems to it.
 *
 * @param signal ends the run before its next query, by throwing its reason
 * @returns true if it found no problem; null when another run is in progress, or a newer version verifies
 */
export async function verifyBooks(
  verifier: BooksVerifier,
  { extent, signal }: { extent: 'newest' | 'whole'; signal?: AbortSignal },
): Promise<boolean | null> {
  const { db, log } = verifier;
  if (await isBeingReplaced(db)) {
    log.info({ msg: 'The books are verified by the newer version that migrated the database' });
    return null;
  }
  return withTx(db, async (lock) => {
    if (!(await tryLock(lock))) return null;
    const scope = { afterHeight: extent === 'whole' ? null : await lastSoundHeight(db) };
    const id = await withTx(db, (tx) => beginRun(tx, verifier.services.clock.now(), scope));
    const verification = await verify(verifier, scope, signal);
    const { ok, problems } = verification;
    if (!ok) {
      log.error({
        msg: 'The books are not sound; docs/watching.md says what to do',
        problems: problems.slice(0, 20).map(({ check, id: of }) => `${check} ${of}`),
      });
    }
    const now = verifier.services.clock.now();
    await withTx(db, (tx) => endRun(tx, { id, scope, verification, now }));
    return ok;
  });
}

/** Verifies one scope as `npm run verify` does. */
function verify(
  { db, keys, roots, pace = 'gentle' }: BooksVerifier,
  scope: Scope,
  signal: AbortSignal | undefined,
): Promise<Verification> {
  return verifyLedger(db, {
    keys,
    roots,
    scope,
    pace,
    signal,
    // A database that was away delays sealing, too. That alone is not a problem.
    waitsAtMostMs: LIMITS.seal.unreadyAfterMs,
    furtherChecks: (tx) => checksFor(tx, businessChecks, scope),
  });
}

/**
 * The lock belongs to a transaction that does nothing else, so it ends with this process or its
 * connection. Between statements it has no snapshot, so it does not hold back vacuum.
 */
async function tryLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    SELECT set_config('idle_in_transaction_session_timeout', '0', true),
           pg_try_advisory_xact_lock(${VERIFYING_LOCK}) AS is_locked`.execute(tx);
  return rows[0]?.isLocked === true;
}
