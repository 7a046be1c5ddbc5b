import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { UnrecoverableError } from '#server/lib/unrecoverable-error.ts';
import type { EmbeddedDatabase } from './index.ts';

export interface KeepRunningOptions {
  log: Log;
  /** Called when the database dies repeatedly, or no longer starts. */
  onUnrecoverable: (error: UnrecoverableError) => void;
  /** Shorter times for tests. */
  limits?: Readonly<Record<keyof typeof LIMITS.embedded, number>>;
}

/**
 * Restarts the embedded database when it dies. Of several servers on one data folder, the first to
 * notice does it, and the others find it running. Only for servers; commands that run next to one
 * leave it to them.
 */
export function keepRunning(
  database: Pick<EmbeddedDatabase, 'state' | 'startAgain' | 'logFile'>,
  { log, onUnrecoverable, limits = LIMITS.embedded }: KeepRunningOptions,
): Part {
  const logHint = `its log is ${database.logFile}.`;
  let deathsMs: number[] = [];
  /** Time since when it is gone; null while it runs. */
  let goneSinceMs: number | null = null;

  /** @throws UnrecoverableError at one death too many */
  function noteDeath(): void {
    if (goneSinceMs !== null) return;
    const nowMs = performance.now();
    goneSinceMs = nowMs;
    deathsMs = [...deathsMs.filter((ms) => nowMs - ms < limits.deathsPerMs), nowMs];
    log.error({ msg: 'The embedded database died', times: deathsMs.length });
    if (deathsMs.length <= limits.mostDeaths) return;
    const minutes = Math.round(limits.deathsPerMs / 60_000);
    throw new UnrecoverableError(
      `The embedded database died ${deathsMs.length} times within ${minutes} minutes; ${logHint}`,
    );
  }

  async function start(): Promise<void> {
    try {
      await database.startAgain();
      log.info({ msg: 'The embedded database runs again' });
      goneSinceMs = null;
    } catch (error) {
      const goneMs = performance.now() - (goneSinceMs ?? 0);
      if (error instanceof UnrecoverableError || goneMs < limits.startWithinMs) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnrecoverableError(`Tried for ${Math.round(goneMs / 1_000)} s: ${reason}`, {
        cause: error,
      });
    }
  }

  return supervise({
    name: 'postgres',
    log,
    everyMs: limits.lookEveryMs,
    onUnrecoverable,
    async turn() {
      const state = database.state();
      if (state === 'running') {
        goneSinceMs = null;
        return;
      }
      noteDeath();
      // After a normal stop, the user who stopped it may be about to start it.
      const goneMs = performance.now() - (goneSinceMs ?? 0);
      if (state === 'stopped' && goneMs < limits.restartGraceMs) return;
      await start();
    },
  });
}
