import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { POSITION_LIFE_S } from '#contract/identity.ts';
import { keepPosition } from './position.ts';

/** The cookie as the browser has it, whoever set it. */
let kept: string | undefined;
let nowMs = Date.now();

beforeEach(() => {
  // The page of each test is a new one.
  nowMs += 10 * POSITION_LIFE_S * 1_000;
  vi.useFakeTimers({ now: nowMs });
  kept = undefined;
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('document', {
    get cookie() {
      return kept === undefined ? 'other=1' : `other=1; purser.position=${kept}`;
    },
    set cookie(text: string) {
      kept = /^purser\.position=(\d+); max-age=60; path=\/; samesite=lax; secure$/.exec(text)?.[1];
    },
  });
});
afterEach(() => {
  // Forgets the position: tests of other files have no document to keep it in.
  vi.advanceTimersByTime(POSITION_LIFE_S * 1_000 + 1);
  keepPosition();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('keeps the newest position, in whatever order replies and events arrive', () => {
  keepPosition('200');
  expect(kept).toBe('200');
  // The reply to an earlier change arrives later, and its Set-Cookie has taken effect.
  kept = '100';
  keepPosition('100');
  expect(kept).toBe('200');
  kept = '150';
  keepPosition();
  expect(kept).toBe('200');
  keepPosition(300);
  expect(kept).toBe('300');
});

test('leaves a newer position of another tab', () => {
  kept = '500';
  keepPosition('400');
  expect(kept).toBe('500');
});

test.each([null, undefined, '', 'x', '1.5', -1, {}])('does nothing for %s', (given) => {
  keepPosition(given);
  expect(kept).toBeUndefined();
});

test('forgets it once every replica has the change', () => {
  keepPosition('200');
  vi.advanceTimersByTime(POSITION_LIFE_S * 1_000 + 1);
  kept = undefined;
  keepPosition();
  expect(kept).toBeUndefined();
  // The database was restored, and counts from less.
  keepPosition('50');
  expect(kept).toBe('50');
});
