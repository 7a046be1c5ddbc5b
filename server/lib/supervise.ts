import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import { pause } from './pause.ts';
import { UnrecoverableError } from './unrecoverable-error.ts';

/** A background part of the server, as the rest of the server sees it. */
export interface Part {
  /** Name in the log and in /readyz. */
  readonly name: string;
  /** False from a failed turn until the part works again; true before the end of the first one. */
  isWorking(): boolean;
  /** Resolves once the part works or has failed for the first time. Never rejects. */
  readonly started: Promise<void>;
  /** Waits for the current turn and starts no other. */
  stop(): Promise<void>;
}

/** Parameter of a turn. */
export interface Turn {
  /** Aborted when the part must stop. */
  signal: AbortSignal;
  /** For a long turn: reports that it now works. */
  working: () => void;
}

export interface PartOptions {
  name: string;
  log: Log;
  /**
   * One turn of its work. Returns the delay before the next one in milliseconds; default:
   * `everyMs`. A long turn (a connection that listens, a runner) calls `working` and returns only
   * when `signal` is aborted; it throws when it cannot continue. An error ends the turn and never
   * the process, unless it is an UnrecoverableError.
   */
  turn: (turn: Turn) => Promise<number | void>;
  /**
   * Delay between two turns; after a failed one the delay is shorter and grows with each failure.
   */
  everyMs: number;
  /** Maximum delay after a failed turn, if the usual one is too long. */
  mostRetryMs?: number;
  /** Called once with an UnrecoverableError from a turn; no turn follows it. */
  onUnrecoverable?: (error: UnrecoverableError) => void;
}

/**
 * Runs a part turn after turn until it is stopped. A failed turn is logged with the part's name and
 * retried, at most `LIMITS.supervision.mostRetryMs` later: the cause may be gone by then.
 */
export function supervise(options: PartOptions): Part {
  const { name, log, turn, everyMs, onUnrecoverable } = options;
  const { firstRetryMs, mostRetryMs } = { ...LIMITS.supervision, ...options };
  const stopping = new AbortController();
  const { signal } = stopping;
  const started = Promise.withResolvers<void>();
  const failures = createFailureLog(name, log);
  function working(): void {
    failures.end();
    started.resolve();
  }

  /** Returns the delay before the next turn; null: there is none. */
  async function takeTurn(): Promise<number | null> {
    try {
      const waitMs = await turn({ signal, working });
      working();
      return waitMs ?? everyMs;
    } catch (error) {
      if (!signal.aborted) failures.add(error);
      started.resolve();
      if (error instanceof UnrecoverableError) {
        onUnrecoverable?.(error);
        return null;
      }
      return Math.min(firstRetryMs * 2 ** Math.max(0, failures.count() - 1), mostRetryMs);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await takeTurn();
      if (waitMs === null) break;
      if (waitMs > 0) await pause(waitMs, signal);
    }
  }

  const running = run();
  return {
    name,
    isWorking: () => failures.count() === 0,
    started: started.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Logs consecutive failures without a line for each: the first, one with another message than the
 * one before, one a minute, and the end of the failures.
 */
function createFailureLog(part: string, log: Log) {
  let count = 0;
  let loggedMessage = '';
  let loggedAtMs = 0;
  return {
    count: () => count,
    add(error: unknown): void {
      count += 1;
      const message = error instanceof Error ? error.message : String(error);
      const isSilent = performance.now() - loggedAtMs < LIMITS.supervision.repeatLogMs;
      if (count > 1 && message === loggedMessage && isSilent) return;
      loggedMessage = message;
      loggedAtMs = performance.now();
      log.warn({
        msg: 'A background part failed; it is tried again',
        part,
        failures: count,
        err: error,
      });
    },
    end(): void {
      if (count > 0) log.info({ msg: 'A background part works again', part, failures: count });
      count = 0;
    },
  };
}
