import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorSentence } from '#contract/errors.ts';
import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { loadSession } from './load-session.ts';

type Ask = (until: AbortSignal) => Promise<string>;

const open = new AbortController().signal;

/** Never answers. Rejects when its signal aborts, as a request does. */
function silent(until: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    until.addEventListener('abort', () => reject(until.reason as Error));
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Time in ms until a promise settles, and the result. */
async function settled(promise: Promise<unknown>): Promise<{ ms: number; outcome: unknown }> {
  const begun = Date.now();
  const outcome = promise.then(
    (value) => ({ ms: Date.now() - begun, outcome: value }),
    (error: unknown) => ({ ms: Date.now() - begun, outcome: error }),
  );
  await vi.advanceTimersByTimeAsync(200_000);
  return outcome;
}

test('gives up after 10 seconds in total if nothing answers', async () => {
  const { ms, outcome } = await settled(loadSession(silent, open));
  expect(outcome).toBeInstanceOf(UnknownOutcomeError);
  expect(ms).toBe(10_000);
});

test('gives up after 10 seconds if the first attempt fails and the second one hangs', async () => {
  const ask = vi.fn<Ask>(silent).mockRejectedValueOnce(new UnknownOutcomeError('no connection'));
  const { ms, outcome } = await settled(loadSession(ask, open));
  expect(outcome).toBeInstanceOf(UnknownOutcomeError);
  expect(ms).toBe(10_000);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('retries a failed connection, at most three times in total', async () => {
  const failing = vi.fn<Ask>(() => Promise.reject(new UnknownOutcomeError('no connection')));
  expect((await settled(loadSession(failing, open))).ms).toBe(2_000);
  expect(failing).toHaveBeenCalledTimes(3);

  const ask = vi
    .fn<Ask>(() => Promise.resolve('session'))
    .mockRejectedValueOnce(new TypeError('x'));
  expect((await settled(loadSession(ask, open))).outcome).toBe('session');
});

function refusalWith(status: number, code: 'forbidden' | 'unavailable'): ApiError {
  return new ApiError({
    type: 'about:blank',
    status,
    requestId: 'r',
    code,
    title: errorSentence(code),
  });
}

test('does not retry a refusal', async () => {
  const refusal = refusalWith(403, 'forbidden');
  const ask = vi.fn<Ask>(() => Promise.reject(refusal));
  expect(await settled(loadSession(ask, open))).toEqual({ ms: 0, outcome: refusal });
  expect(ask).toHaveBeenCalledTimes(1);
});

test('retries where the server is unavailable for a moment', async () => {
  const ask = vi
    .fn<Ask>(() => Promise.resolve('session'))
    .mockRejectedValueOnce(refusalWith(503, 'unavailable'));
  expect(await settled(loadSession(ask, open))).toEqual({ ms: 1_000, outcome: 'session' });
});

test('stops when the caller aborts', async () => {
  const caller = new AbortController();
  const loading = settled(loadSession(silent, caller.signal));
  caller.abort();
  expect((await loading).ms).toBe(0);
});
