import type { Db } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { unsealedAgeS } from '#server/modules/ledger/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';

const { waitsAtMostMs, unreadyAfterMs, exportFailsAtMostMs } = LIMITS.seal;

/** Adds to /metrics how far behind sealing is and whether this process refuses to. */
export function watchSealing(metrics: Metrics, { db, sealer }: { db: Db; sealer: Sealer }): void {
  metrics.gauge(
    'purser_unsealed_age_seconds',
    'How long the oldest of what is not sealed has waited, whichever process seals',
    () => unsealedAgeS(db),
  );
  metrics.gauge(
    'purser_sealing_refused',
    '1 when this process refuses to seal, because the chain is not what it was',
    () => (sealer.state().refusal === null ? 0 : 1),
  );
}

/** For System Health: true while all is sealed in time and the newest root is exported; otherwise the fault. */
export async function checkSealing(db: Db, sealer: Sealer): Promise<true | string> {
  const { refusal, exportFailingSince } = sealer.state();
  const failingMs = exportFailingSince === null ? 0 : Date.now() - exportFailingSince.getTime();
  if (refusal !== null) return `sealing is refused (${refusal.code}): ${refusal.sentence}`;
  if (failingMs > exportFailsAtMostMs) {
    return `the newest root could not be exported since ${exportFailingSince?.toISOString()}`;
  }
  // Blocks that waited while no server ran are no fault of this one, which has just started.
  const couldSealMs = performance.now();
  const ageS = await unsealedAgeS(db);
  if (Math.min(ageS * 1_000, couldSealMs) <= waitsAtMostMs) return true;
  return `something has not been sealed for ${Math.round(ageS)} s`;
}

/** For /readyz: whether anybody seals. It is the same in every process, so it has more time. */
export async function checkIsSealing(db: Db): Promise<true | string> {
  const ageS = await unsealedAgeS(db);
  return ageS * 1_000 <= unreadyAfterMs || `nothing has been sealed for ${Math.round(ageS)} s`;
}
