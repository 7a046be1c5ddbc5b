import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';

/** Time limit for all attempts together. */
export const GIVE_UP_AFTER_MS = 10_000;
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/**
 * Asks the server who is signed in, and retries if there is no answer or the server is unavailable.
 *
 * @param ask one attempt, which ends when its signal aborts
 * @param signal signal of the caller, who may lose interest
 * @throws ApiError if the server refused; UnknownOutcomeError if no attempt had an answer within
 * {@link GIVE_UP_AFTER_MS}
 */
export async function loadSession<Reply>(
  ask: (until: AbortSignal) => Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), GIVE_UP_AFTER_MS);
  const until = AbortSignal.any([signal, ending.signal]);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(until);
      } catch (error) {
        if (isRefusal(error) || signal.aborted) throw error;
        if (until.aborted || attempt === MAX_ATTEMPTS) throw notLoaded(error);
      }
      await pause(until);
      if (signal.aborted) throw signal.reason;
      if (until.aborted) throw notLoaded(undefined);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** True if the next attempt would get the same answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code !== 'unavailable';
}

/** Waits {@link PAUSE_MS}, or until `until` aborts. */
async function pause(until: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    until.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function notLoaded(cause: unknown): UnknownOutcomeError {
  return new UnknownOutcomeError('Your session could not be loaded.', { cause });
}
