import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  currentToasts,
  dismissErrors,
  dismissToast,
  dismissToasts,
  holdToasts,
  releaseToasts,
  toast,
  toastLifeMs,
} from './toast-queue.ts';

const titles = () => currentToasts().map((shown) => shown.title);

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
});

test('a toast disappears after its time, but an error stays until dismissed', () => {
  toast({ title: 'Copied!' });
  toast({ title: 'Failed to load account data', tone: 'critical' });
  vi.advanceTimersByTime(toastLifeMs - 1);
  expect(titles()).toEqual(['Copied!', 'Failed to load account data']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['Failed to load account data']);
});

test('repeated words are shown once, and their time restarts', () => {
  toast({ title: 'Copied!' });
  vi.advanceTimersByTime(toastLifeMs - 1);
  toast({ title: 'Copied!' });
  expect(titles()).toEqual(['Copied!']);
  vi.advanceTimersByTime(toastLifeMs - 1);
  expect(titles()).toEqual(['Copied!']);
});

test('each undoable act has its own toast and its own undo', () => {
  const undone: string[] = [];
  for (const id of ['first', 'second']) {
    const action = { label: 'Undo', onPress: () => undone.push(id) };
    toast({ title: 'Notification Deleted', message: 'Welcome', action });
  }
  expect(titles()).toEqual(['Notification Deleted', 'Notification Deleted']);
  for (const { action } of currentToasts()) action?.onPress();
  expect(undone).toEqual(['first', 'second']);
});

test('the same title with another message is another toast', () => {
  toast({ title: 'Withdrawal Submitted', message: '$320.00' });
  toast({ title: 'Withdrawal Submitted', message: '$50.00' });
  expect(titles()).toHaveLength(2);
});

test('an error disappears at the next attempt, but a success stays', () => {
  toast({ title: 'Copied!' });
  toast({ title: 'Failed to submit withdrawal request. Please try again.', tone: 'critical' });
  toast({ title: 'Action Failed', tone: 'critical' });
  dismissErrors();
  expect(titles()).toEqual(['Copied!']);
});

test('dismisses one toast, or all of them', () => {
  toast({ title: 'Copied!' });
  toast({ title: 'Action Failed', tone: 'critical' });
  dismissToast(currentToasts()[0]?.id ?? 0);
  expect(titles()).toEqual(['Action Failed']);
  dismissToasts();
  expect(titles()).toEqual([]);
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
