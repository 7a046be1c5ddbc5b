import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSessionEnd } from './watch-end.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Simulates a server whose session ends after 60 minutes without activity, watched by a page. */
function open({ isAway }: { isAway: boolean }) {
  const server = { endMs: Date.now() + 60 * MINUTE_MS };
  const page = { isAway, isWarned: false, hasEnded: false, asked: 0 };
  const extend = () => {
    server.endMs = Date.now() + 60 * MINUTE_MS;
  };
  const watch = watchSessionEnd({
    ask: (isBackground) => {
      page.asked += 1;
      if (!isBackground) extend();
      return Promise.resolve({
        endsInMs: Math.max(0, server.endMs - Date.now()),
        canBeExtended: true,
      });
    },
    isPersonAway: () => page.isAway,
    onNear: (end) => {
      page.isWarned = end !== undefined;
    },
    onEnd: () => {
      page.hasEnded = true;
    },
  });
  return { watch, page, extend };
}

test('warns a person who is away a minute before the end, then reports the end', async () => {
  const { page } = open({ isAway: true });
  await vi.advanceTimersByTimeAsync(58.9 * MINUTE_MS);
  expect(page).toMatchObject({ isWarned: false, asked: 1 });
  await vi.advanceTimersByTimeAsync(0.2 * MINUTE_MS);
  expect(page).toMatchObject({ isWarned: true, hasEnded: false });
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(page.hasEnded).toBe(true);
});

test('extends the session of a person who uses the page, without a warning', async () => {
  const { page } = open({ isAway: false });
  await vi.advanceTimersByTimeAsync(180 * MINUTE_MS);
  expect(page).toMatchObject({ isWarned: false, hasEnded: false });
});

test('extends the session if the person chooses to stay', async () => {
  const { watch, page } = open({ isAway: true });
  await vi.advanceTimersByTimeAsync(59.5 * MINUTE_MS);
  expect(page.isWarned).toBe(true);
  await watch.look({ isStaying: true });
  expect(page.isWarned).toBe(false);
  await vi.advanceTimersByTimeAsync(58 * MINUTE_MS);
  expect(page).toMatchObject({ isWarned: false, hasEnded: false });
});

test('removes the warning if another tab has extended the session', async () => {
  const { page, extend } = open({ isAway: true });
  await vi.advanceTimersByTimeAsync(59.5 * MINUTE_MS);
  extend();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(page).toMatchObject({ isWarned: false, hasEnded: false });
});

test('keeps the warning until it is answered, even if the person uses the page', async () => {
  const { page } = open({ isAway: true });
  await vi.advanceTimersByTimeAsync(59.2 * MINUTE_MS);
  page.isAway = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(page.isWarned).toBe(true);
});

test('reports the end after the computer has slept, without asking the server', async () => {
  const { page } = open({ isAway: true });
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  const { asked } = page;
  vi.setSystemTime(Date.now() + 600 * MINUTE_MS);
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(page).toMatchObject({ hasEnded: true, asked });
});
