import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileVisible } from './while-visible.ts';

const page = Object.assign(new EventTarget(), { hidden: false });
/** Begun streams, with the page's state before; and ended ones. */
let log: string[] = [];
let stop: () => void;

function show(isShown: boolean): void {
  page.hidden = !isShown;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
  log = [];
  stop = whileVisible((wasHidden) => {
    log.push(wasHidden ? 'back' : 'begun');
    return () => void log.push('ended');
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a glance at another tab changes nothing', () => {
  show(false);
  vi.advanceTimersByTime(10_000);
  show(true);
  vi.advanceTimersByTime(60_000);
  expect(log).toEqual(['begun']);
});

test('ends once the page has been hidden for a while, and is back with it', () => {
  show(false);
  vi.advanceTimersByTime(60_000);
  expect(log).toEqual(['begun', 'ended']);
  show(true);
  expect(log).toEqual(['begun', 'ended', 'back']);
});

test('does nothing once it was stopped', () => {
  show(false);
  stop();
  vi.advanceTimersByTime(60_000);
  show(true);
  expect(log).toEqual(['begun', 'ended']);
});
