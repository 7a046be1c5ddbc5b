import { notifyManager, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { untilHolds } from '#test/until-holds.ts';
import { ApiError, UnknownOutcomeError } from './client.ts';
import { createQueryClient, errorMessage } from './query.ts';

const FALLBACK = 'Nothing was changed. Please try again.';

test('a person reads the sentence of a refusal, and never the words of a bug', () => {
  const problem = { type: 'about:blank', status: 409, requestId: '', title: 'It is in use.' };
  const refusal = new ApiError({ ...problem, code: 'conflict' });
  expect(errorMessage(refusal, FALLBACK)).toBe('It is in use.');
  const lost = new UnknownOutcomeError('The server could not be reached.');
  expect(errorMessage(lost, FALLBACK)).toBe('The server could not be reached.');
  for (const bug of [new TypeError('x.id is not a function'), new Error('reading undefined'), 7]) {
    expect(errorMessage(bug, FALLBACK)).toBe(FALLBACK);
  }
});

const PROBLEM = { type: 'about:blank', requestId: '', title: 'No' };

test('data that could not be updated stays on the page, and is read again', async () => {
  const onOutdated = vi.fn<() => void>();
  const client = createQueryClient({ onAttempt: () => undefined, onOutdated, updateAgainMs: 1 });
  const busy = new ApiError({ ...PROBLEM, status: 503, code: 'unavailable' });
  const queryFn = vi
    .fn<() => Promise<string>>()
    .mockResolvedValueOnce('old')
    .mockRejectedValueOnce(busy);
  queryFn.mockResolvedValue('new');
  const observer = new QueryObserver<unknown>(client, { queryKey: ['list'], queryFn });
  const seen: string[] = [];
  // `useQuery` reads the observer in the same way: once for several changes that happen together.
  const read = notifyManager.batchCalls(() => {
    const { status, data } = observer.getCurrentResult();
    seen.push(`${status} ${String(data)}`);
  });
  const stop = observer.subscribe(read);
  await untilHolds(() => expect(seen.at(-1)).toBe('success old'));
  await client.invalidateQueries();
  expect(onOutdated).toHaveBeenCalledOnce();
  await untilHolds(() => expect(seen.at(-1)).toBe('success new'));
  expect(seen.filter((one) => one.startsWith('error'))).toEqual([]);
  stop();
  client.clear();
});

test.each([
  { status: 403, code: 'forbidden' },
  { status: 404, code: 'not_found' },
] as const)('a refusal ($status) is shown where the data is', async ({ status, code }) => {
  const onOutdated = vi.fn<() => void>();
  const client = createQueryClient({ onAttempt: () => undefined, onOutdated, updateAgainMs: 1 });
  const queryFn = vi.fn<() => Promise<string>>().mockResolvedValueOnce('old');
  queryFn.mockRejectedValue(new ApiError({ ...PROBLEM, status, code }));
  const observer = new QueryObserver<unknown>(client, { queryKey: ['list'], queryFn });
  const stop = observer.subscribe(() => undefined);
  await untilHolds(() => expect(observer.getCurrentResult().data).toBe('old'));
  await client.invalidateQueries();
  expect(observer.getCurrentResult().isError).toBe(true);
  expect(onOutdated).not.toHaveBeenCalled();
  stop();
  client.clear();
});
