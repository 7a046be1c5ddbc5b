import type { Session } from '#contract/api.ts';
import { browserOf } from '#contract/browser-of.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { findByLinkToken, spendLinkToken } from '../link-token.ts';
import { adviceToPerson } from '../queries.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { browserKeyOf, clearCookie, readCookie } from '../sessions/cookies.ts';
import { addressOf, isKnownBrowser } from '../sessions/known-places.ts';
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
  const browser = browserKeyOf(identity, context.headers);
  try {
    const by = { actor: 'visitor', origin: context.origin } as const;
    await checkSecondFactor(identity, { userId, code, signIn: token, browser, by });
    if ((await withTx(db, (tx) => spendLinkToken(tx, step))) === null) {
      throw new AppError('sign_in_expired');
    }
    const { reply, cookies } = await completeSignIn(identity, context, userId);
    return { reply, cookies: [...cookies, clearCookie(identity, 'two_factor')] };
  } catch (error) {
    if (error instanceof AppError) {
      if (error.code === 'code_invalid') await warnOfGuess(identity, context, { userId, browser });
      await recordSignInRefusal(identity, context, { userId, reason: error.code });
    }
    throw error;
  }
}

/**
 * Notifies the owner, once within an hour, of a wrong code after the right password. Not from a browser that has signed in
 * to the account before, where it is they who mistype.
 */
export async function warnOfGuess(
  { attempts, db, services }: Identity,
  { origin }: Call,
  { userId, browser }: { userId: string; browser: string | null },
): Promise<void> {
  if (browser !== null && (await isKnownBrowser(db, { userId, browser }))) return;
  if ((await attempts.countRepeat(`wrong code ${userId}`)) > 1) return;
  await withTx(db, async (tx) => {
    const advice = await adviceToPerson(tx, userId);
    record(tx, { actor: 'visitor', origin }, 'session.code_refused', {
      id: userId,
      personId: userId,
      at: services.clock.now(),
      words: {
        browser: browserOf(origin.userAgent),
        address: addressOf(origin),
        advice,
      },
    });
  });
}
