import type { Session } from '#contract/api.ts';
import { AppError } from '#server/lib/errors.ts';
import { answerAfter } from '../answer-after.ts';
import type { Call, Identity } from '../identity.ts';
import { forgiveSignIns } from '../passwords/password-attempts.ts';
import type { TriedAccount } from '../passwords/password-attempts.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { checkPassword } from './check-password.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { warnOfGuess } from './verify-second-factor.ts';

/** Longer than all work of a sign-in takes, so that the time of an answer says nothing. */
export const SLOW_ANSWER_MS = 3_000;
/**
 * Sign-ins from one network that a process slows at the same time: at most 20 passwords a second are checked. No other
 * network uses them up.
 */
export const MAX_SLOWED = 60;

/** Number of sign-ins that wait, by network. */
const slowed = new Map<string, number>();

/**
 * Signs in the owner of a second factor although the attempts at the account, or those of the network, are used up, so
 * that guesses of an attacker on the same network keep nobody out who has both. Password and code are checked
 * together: whatever is wrong, also the right password of a person without a second factor, is refused in the same words
 * after the same time, so that these attempts tell nothing about a password. Limits of all sign-ins from a network, and of
 * the codes of an account, hold as ever.
 *
 * @param given.refusal answer to everything that is wrong
 * @throws {AppError} the refusal, immediately while MAX_SLOWED others of the network wait
 */
export async function signInSlowly(
  identity: Identity,
  context: Call,
  given: { account: TriedAccount; password: string; code: string; refusal: AppError },
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const { account, password, code, refusal } = given;
  const waiting = slowed.get(account.network) ?? 0;
  if (waiting >= MAX_SLOWED) throw refusal;
  slowed.set(account.network, waiting + 1);
  try {
    return await answerAfter(identity, SLOW_ANSWER_MS, async () => {
      const userId = await checkBoth(identity, context, { account, password, code });
      return completeSignIn(identity, context, userId);
    });
  } catch (error) {
    throw error instanceof AppError ? refusal : error;
  } finally {
    const others = (slowed.get(account.network) ?? 1) - 1;
    if (others === 0) slowed.delete(account.network);
    else slowed.set(account.network, others);
  }
}

/**
 * @returns id of the person whose password and code these are
 * @throws {AppError} where they are not, or the person may not sign in
 */
async function checkBoth(
  identity: Identity,
  context: Call,
  { account, password, code }: { account: TriedAccount; password: string; code: string },
): Promise<string> {
  const { id, twoFactorEnabled } = await checkPassword(identity, account, password);
  if (!twoFactorEnabled) throw new AppError('two_factor_is_off');
  const guess = { userId: id, browser: account.browser };
  const by = { actor: 'visitor', origin: context.origin } as const;
  await checkSecondFactor(identity, { ...guess, code, by }).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'code_invalid') {
      await warnOfGuess(identity, context, guess);
    }
    throw error;
  });
  await forgiveSignIns(identity, account);
  return id;
}
