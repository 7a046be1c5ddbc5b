import type { Log } from './log.ts';

/**
 * Returns true if all is well; otherwise the fault in words, or false. A check that throws or takes
 * too long has failed, too.
 */
export type Check = () => boolean | string | Promise<boolean | string>;

/** Runs a check and returns its fault in words; null if all is well. */
export async function faultWithin(check: Check, timeoutMs: number): Promise<string | null> {
  const timer = Promise.withResolvers<string>();
  const timeout = setTimeout(() => {
    timer.resolve(`no answer within ${timeoutMs / 1_000} s`);
  }, timeoutMs);
  try {
    const answer = await Promise.race([check(), timer.promise]);
    if (answer === true) return null;
    return answer === false ? 'the check failed' : answer;
  } catch (error) {
    return wordsOf(error);
  } finally {
    clearTimeout(timeout);
  }
}

/** A check whose latest result others may read. It is true until the first run ends. */
export function remembered(check: Check): { run: Check; latest: () => boolean | string } {
  let latest: boolean | string = true;
  return {
    async run() {
      try {
        latest = await check();
      } catch (error) {
        latest = wordsOf(error);
      }
      return latest;
    },
    latest: () => latest,
  };
}

/** A connection refused at several addresses has the messages inside. */
function wordsOf(error: unknown): string {
  const [inner = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return inner instanceof Error && inner.message !== '' ? inner.message : String(inner);
}

/** Faults in words, by the name of the check. */
export type Faults = Readonly<Record<string, string>>;

/**
 * Logs the failing checks and the reasons: when other checks fail than before, and when all pass
 * again.
 */
export function faultLog(log: Log, says: { failed: string; well: string }): (now: Faults) => void {
  let known = '';
  return (now) => {
    const failed = Object.keys(now).toSorted();
    if (failed.join() === known) return;
    known = failed.join();
    if (failed.length > 0) log.warn({ msg: says.failed, failed, why: now });
    else log.info({ msg: says.well });
  };
}
