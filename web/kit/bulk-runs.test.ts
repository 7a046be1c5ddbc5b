import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { setPagePerson } from '#web/api/session-lock.ts';
import { untilHolds } from '#test/until-holds.ts';
import { isBulkRunning, leaveRun, runsInBackground, startRun } from './bulk-runs.ts';

type Send = (item: string, options: { idempotencyKey?: string }) => Promise<unknown>;

const open = (items: readonly string[], send: Send) =>
  startRun({
    queryClient: new QueryClient(),
    items,
    idOf: (item) => item,
    send,
    topics: ['deposits'],
    label: 'Approving deposits',
    drawResults: () => null,
  });
const refusal = (
  code: 'deposit_wrong_status' | 'unauthenticated' | 'confirmation_needed',
  status: number,
) => new ApiError({ type: '', title: 'Refused', status, code, requestId: '' });

afterEach(() => {
  for (const run of runsInBackground()) leaveRun(run);
  setPagePerson(null);
});

test('each has its own outcome, and a second try sends only what had no answer, as it was', async () => {
  const keys = new Map<string, string[]>();
  let isDown = true;
  const run = open(['a', 'b', 'c', 'd'], (item, { idempotencyKey = '' }) => {
    keys.set(item, [...(keys.get(item) ?? []), idempotencyKey]);
    if (item === 'b') return Promise.reject(refusal('deposit_wrong_status', 409));
    if (item === 'c' && isDown) return Promise.reject(new UnknownOutcomeError('No answer'));
    if (item === 'd' && isDown) return Promise.reject(refusal('unauthenticated', 401));
    return Promise.resolve();
  });
  await untilHolds(() => expect(run.isRunning).toBe(false));
  const kinds = () => [...run.outcomes.values()].map(({ kind }) => kind);
  expect(kinds()).toEqual(['done', 'refused', 'unknown', 'unknown']);
  isDown = false;
  await run.run();
  expect(kinds()).toEqual(['done', 'refused', 'done', 'done']);
  expect(keys.get('a')).toHaveLength(1);
  const [first, second] = keys.get('c') ?? [];
  expect(second).toBe(first);
  expect(new Set([...keys.values()].flat()).size).toBe(4);
});

test('goes on when its dialog is left, and is forgotten once its results were seen', async () => {
  const answers: (() => void)[] = [];
  const run = open(['a', 'b'], () => new Promise<void>((answer) => answers.push(answer)));
  leaveRun(run as never);
  expect(runsInBackground()).toEqual([run]);
  expect(isBulkRunning()).toBe(true);
  answers[0]?.();
  await untilHolds(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await untilHolds(() => expect(isBulkRunning()).toBe(false));
  expect(runsInBackground()).toEqual([run]);
  leaveRun(run as never);
  expect(runsInBackground()).toEqual([]);
});

test('stops where a person does not confirm that it is them, and goes on from there', async () => {
  const sent: string[] = [];
  let isConfirmed = false;
  const run = open(['a', 'b', 'c'], (item) => {
    sent.push(item);
    if (item === 'a' || isConfirmed) return Promise.resolve();
    return Promise.reject(refusal('confirmation_needed', 403));
  });
  await untilHolds(() => expect(run.isRunning).toBe(false));
  expect(sent).toEqual(['a', 'b']);
  expect([...run.outcomes.keys()]).toEqual(['a']);
  isConfirmed = true;
  await run.run();
  expect(sent).toEqual(['a', 'b', 'b', 'c']);
  expect(run.done).toBe(3);
});

test('stops on request, and when its person leaves', async () => {
  const sent: string[] = [];
  const stopped = open(['a', 'b', 'c'], (item) => {
    sent.push(item);
    return Promise.resolve();
  });
  stopped.stop();
  await untilHolds(() => expect(stopped.isRunning).toBe(false));
  expect(sent).toEqual(['a']);

  setPagePerson('renee');
  const left = open(['d', 'e'], (item) => {
    sent.push(item);
    setPagePerson(null);
    return Promise.resolve();
  });
  leaveRun(left as never);
  await untilHolds(() => expect(left.isRunning).toBe(false));
  expect(sent).toEqual(['a', 'd']);
  expect(runsInBackground()).toEqual([]);
});

test('counts the things in its items, as many as were done of each', async () => {
  const run = startRun({
    queryClient: new QueryClient(),
    items: [500, 400, 137],
    idOf: String,
    send: () => Promise.resolve(),
    sizes: { of: (item) => item, done: (item) => item - 7 },
    topics: ['payroll'],
    label: 'Reversing payments',
    drawResults: () => null,
  });
  expect([run.turns, run.total]).toEqual([0, 1037]);
  await untilHolds(() => expect(run.isRunning).toBe(false));
  expect([run.turns, run.done]).toEqual([1037, 1016]);
});
