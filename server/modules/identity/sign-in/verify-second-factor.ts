import type { Session } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { findByLinkToken, spendLinkToken } from '../link-token.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { clearCookie, readCookie } from '../sessions/cookies.ts';
import { completeSignIn } from './complete-sign-in.ts';

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
  const { attempts, db, services } = identity;
  await attempts.spend('signInFromAddress', addressKey(context.origin.ipAddress));
  const token = readCookie(identity, context.headers, 'two_factor') ?? '';
  const step = { purpose: 'second-step', token, now: services.clock.now() } as const;
  const userId = await findByLinkToken(db, step);
  if (userId === null) throw new AppError('sign_in_expired');
  try {
    await checkSecondFactor(identity, { userId, code, signIn: token });
    if ((await withTx(db, (tx) => spendLinkToken(tx, step))) === null) {
      throw new AppError('sign_in_expired');
    }
    const { reply, cookies } = await completeSignIn(identity, context, userId);
    return { reply, cookies: [...cookies, clearCookie(identity, 'two_factor')] };
  } catch (error) {
    if (error instanceof AppError) {
      await recordSignInRefusal(identity, context, { userId, reason: error.code });
    }
    throw error;
  }
}
