import { expect, test } from 'vitest';
import { errorSentence, errorStatus, type ErrorCode } from '#contract/errors.ts';
import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { authErrorWords } from './auth-errors.ts';

function refusal(code: ErrorCode): ApiError {
  return new ApiError({
    type: 'about:blank',
    requestId: 'r',
    code,
    status: errorStatus(code),
    title: errorSentence(code),
  });
}

const LOGIN = 'Login failed due to unexpected error';

test.each<[unknown, string | undefined, string, string]>([
  [
    refusal('invalid_credentials'),
    LOGIN,
    'Invalid credentials',
    'Please check your email and password and try again.',
  ],
  [
    refusal('sign_up_closed'),
    'Signup failed',
    'Authentication Error',
    'Only people an administrator added can join. Please ask your administrator.',
  ],
  [refusal('internal'), LOGIN, 'Authentication Error', LOGIN],
  [refusal('internal'), 'Signup failed', 'Authentication Error', 'Signup failed'],
  [new TypeError('x is not a function'), LOGIN, 'Authentication Error', LOGIN],
  [
    new TypeError('x is not a function'),
    undefined,
    'Authentication Error',
    'Failed to authenticate',
  ],
  [
    new UnknownOutcomeError('The server could not be reached. Please try again.'),
    LOGIN,
    'Authentication Error',
    'The server could not be reached. Please try again.',
  ],
])('%s with the fallback %s', (error, fallback, title, message) => {
  expect(authErrorWords(error, fallback)).toEqual({ title, message });
});
