import { expect, test } from 'vitest';
import { ApiError, UnknownOutcomeError } from './client.ts';
import { errorMessage } from './query.ts';

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
