import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { SECOND_STEP_MINUTES } from '#contract/limits.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { createLinkToken } from '../link-token.ts';
import {
  countWrongPassword,
  forgiveSignIns,
  spendPasswordAttempt,
} from '../passwords/password-attempts.ts';
import { describeSession, findUserByEmail } from '../queries.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { browserKeyOf, setCookie } from '../sessions/cookies.ts';
import { mailConfirmation } from '../sign-up/sign-up.ts';
import { checkPassword } from './check-password.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { signInSlowly } from './sign-in-slowly.ts';

type Answer = { reply: RouteReply<'signIn'>; cookies: readonly string[] };

/**
 * Starts a session, always a new one: the one the browser came with is ended. Whoever has two-factor is
 * signed in by `verifySecondFactor` alone. Takes as long for an unknown address as for a wrong password,
 * and only the right password learns more than `invalid_credentials`.
 *
 * Once the attempts are used up, by whomever, a code in the same request lets its owner in as `signInSlowly` says.
 *
 * @throws {AppError} `invalid_credentials`, `email_not_confirmed`, `account_deactivated`,
 *   `too_many_requests`
 */
export async function signIn(
  identity: Identity,
  context: Call,
  { email, password, code }: RouteArguments<'signIn'>['body'],
): Promise<Answer> {
  const network = addressKey(context.origin.ipAddress);
  const account = { email, network, browser: browserKeyOf(identity, context.headers) };
  try {
    await identity.attempts.spend('signInFromAddress', network);
    const refusal = await refusalOf(spendPasswordAttempt(identity, account));
    if (refusal !== null) {
      if (code === undefined) throw refusal;
      const given = { account, password, code, refusal };
      const { reply, cookies } = await signInSlowly(identity, context, given);
      return { reply: { ...reply, awaitsSecondFactor: false }, cookies };
    }
    const person = await checkPassword(identity, account, password);
    await forgiveSignIns(identity, account);
    if (person.twoFactorEnabled) return await awaitSecondFactor(identity, person.id);
    const { reply, cookies } = await completeSignIn(identity, context, person.id);
    return { reply: { ...reply, awaitsSecondFactor: false }, cookies };
  } catch (error) {
    if (error instanceof AppError) await recordRefusal(identity, context, { email, error });
    throw error;
  }
}

/** @returns the refusal of a limit that is used up; null where an attempt was left */
async function refusalOf(spending: Promise<void>): Promise<AppError | null> {
  try {
    await spending;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return error;
    throw error;
  }
}

/** Leaves a cookie for `verifySecondFactor`. The session that the browser came with goes on until then. */
async function awaitSecondFactor(identity: Identity, userId: string): Promise<Answer> {
  const { db, services } = identity;
  const token = await createLinkToken(db, {
    purpose: 'second-step',
    value: userId,
    now: services.clock.now(),
    lifeHours: SECOND_STEP_MINUTES / 60,
  });
  return {
    reply: { ...(await describeSession(identity, db, null)), awaitsSecondFactor: true },
    cookies: [setCookie(identity, 'two_factor', token, SECOND_STEP_MINUTES * 60)],
  };
}

async function recordRefusal(
  identity: Identity,
  context: Call,
  { email, error: { code } }: { email: string; error: AppError },
): Promise<void> {
  if (code === 'invalid_credentials') await countWrongPassword(identity, context.origin);
  const user = await findUserByEmail(identity.db, email);
  await recordSignInRefusal(identity, context, { userId: user?.id ?? null, reason: code });
  if (code === 'email_not_confirmed' && user !== undefined) {
    await mailConfirmation(identity, user.id);
  }
}
