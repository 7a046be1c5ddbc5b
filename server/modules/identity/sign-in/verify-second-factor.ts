import type { Session } from '#contract/api.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import { completeSignIn } from './complete-sign-in.ts';
import type { Call, Identity } from '../identity.ts';
import { callHeaders } from '../identity.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { challengeOf, headersAfter, sessionTokenOf } from '../sessions/session-cookie.ts';

/**
 * The second step of a sign-in whose password was right, by the cookie that the first step left.
 *
 * @throws {AppError} `code_invalid`, `sign_in_expired`, `account_deactivated`, `too_many_requests`
 */
export async function verifySecondFactor(
  identity: Identity,
  context: Call,
  code: string,
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const { auth, attempts } = identity;
  await attempts.spend('signInFromAddress', addressKey(context.origin.ipAddress));
  const challenge = await challengeOf(auth, context.headers);
  if (challenge === null) throw new AppError('sign_in_expired');
  const { internalAdapter } = await auth.$context;
  const waiting = await internalAdapter.findVerificationValue(challenge.identifier);
  if (waiting === null || waiting.expiresAt < new Date()) throw new AppError('sign_in_expired');
  const userId = waiting.value;
  const { cookies } = await checkSecondFactor(identity, {
    userId,
    code,
    // The challenge alone: with the cookie of a session it would be that session which is confirmed.
    headers: callHeaders(context.origin, challenge.cookie),
  }).catch((error: unknown) => refuse(identity, context, userId, error));
  const token = await sessionTokenOf(auth, headersAfter(cookies));
  const completed = await completeSignIn(identity, context, { userId, token });
  return { reply: completed.reply, cookies: [...cookies, ...completed.cookies] };
}

async function refuse(
  identity: Identity,
  context: Call,
  userId: string,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError) {
    await recordSignInRefusal(identity, context, { userId, reason: error.code });
  }
  throw error;
}
