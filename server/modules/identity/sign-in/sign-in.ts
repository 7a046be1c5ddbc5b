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
import type { TriedAccount } from '../passwords/password-attempts.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import { describeSession, findUserByEmail } from '../queries.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { setCookie } from '../sessions/cookies.ts';
import { browserKeyOf } from '../sessions/known-places.ts';
import { mailConfirmation } from '../sign-up/sign-up.ts';
import { completeSignIn } from './complete-sign-in.ts';

type Answer = { reply: RouteReply<'signIn'>; cookies: readonly string[] };

/**
 * Starts a session, always a new one: the one the browser came with is ended. Whoever has two-factor is
 * signed in by `verifySecondFactor` alone. Takes as long for an unknown address as for a wrong password,
 * and only the right password learns more than `invalid_credentials`.
 *
 * @throws {AppError} `invalid_credentials`, `email_not_confirmed`, `account_deactivated`,
 *   `too_many_requests`
 */
export async function signIn(
  identity: Identity,
  context: Call,
  { email, password }: RouteArguments<'signIn'>['body'],
): Promise<Answer> {
  const network = addressKey(context.origin.ipAddress);
  const account = { email, network, browser: browserKeyOf(identity, context.headers) };
  try {
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

/** The person whose password it is, if they may sign in. */
async function checkPassword(
  identity: Identity,
  account: TriedAccount,
  password: string,
): Promise<{ id: string; twoFactorEnabled: boolean }> {
  await identity.attempts.spend('signInFromAddress', account.network);
  await spendPasswordAttempt(identity, account);
  const person = await identity.db
    .selectFrom('appUser')
    .leftJoin('authAccount', 'authAccount.userId', 'appUser.id')
    .select(['appUser.id', 'password', 'emailVerified', 'deactivatedAt', 'twoFactorEnabled'])
    .where('email', '=', account.email)
    .executeTakeFirst();
  const isRight = await verifyPassword(person?.password ?? null, password);
  if (person === undefined || !isRight) throw new AppError('invalid_credentials');
  if (identity.confirmsEmail && !person.emailVerified) throw new AppError('email_not_confirmed');
  if (person.deactivatedAt !== null) throw new AppError('account_deactivated');
  return person;
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
