import { afterEach, expect, test } from 'vitest';
import { errorSentence, errorStatus, type ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#web/api/client.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { currentToasts, dismissToasts } from '#web/ui/toast-queue.ts';
import { toastRedemptionError } from './redeem-invite.ts';

function refusal(code: ErrorCode): ApiError {
  return new ApiError({
    type: 'about:blank',
    requestId: 'r',
    code,
    status: errorStatus(code),
    title: errorSentence(code),
  });
}

afterEach(dismissToasts);

test.each<[unknown, string, string]>([
  [
    refusal('unauthenticated'),
    'Sign in required',
    'Please sign in before redeeming an admin invite.',
  ],
  [refusal('invite_invalid'), 'Redemption failed', 'Please check your token and try again.'],
  [new ReadableError('Unable to redeem token'), 'Redemption failed', 'Unable to redeem token'],
])('%s is shown with its title and message', (error, title, message) => {
  toastRedemptionError(error);
  expect(currentToasts()).toMatchObject([{ title, message, tone: 'critical' }]);
});
