import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  currentToasts,
  dismissToast,
  holdToasts,
  releaseToasts,
  toast,
  toastLifeMs,
} from './toast-queue.ts';

const titles = () => currentToasts().map((shown) => shown.title);

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id);
  vi.useRealTimers();
});

test('a toast leaves after its time, an error stays until dismissed', () => {
  toast({ title: 'Copied!' });
  toast({ title: 'Failed to load account data', tone: 'critical' });
  vi.advanceTimersByTime(toastLifeMs - 1);
  expect(titles()).toEqual(['Copied!', 'Failed to load account data']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['Failed to load account data']);
});

test('the same words are shown once, and their time starts anew', () => {
  toast({ title: 'Copied!' });
  vi.advanceTimersByTime(toastLifeMs - 1);
  toast({ title: 'Copied!' });
  expect(titles()).toEqual(['Copied!']);
  vi.advanceTimersByTime(toastLifeMs - 1);
  expect(titles()).toEqual(['Copied!']);
});

test('the same title with another message is another toast', () => {
  toast({ title: 'Withdrawal Submitted', message: '$320.00' });
  toast({ title: 'Withdrawal Submitted', message: '$50.00' });
  expect(titles()).toHaveLength(2);
});

test('held toasts wait, and get their full time when released', () => {
  toast({ title: 'Copied!' });
  holdToasts();
  vi.advanceTimersByTime(10 * toastLifeMs);
  expect(titles()).toEqual(['Copied!']);
  releaseToasts();
  vi.advanceTimersByTime(toastLifeMs);
  expect(titles()).toEqual([]);
});
