import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import { DEACTIVATED } from '../auth.ts';
import { refusalOf } from '../auth-refusal.ts';
import { completeSignIn } from './complete-sign-in.ts';
import type { Call, Identity } from '../identity.ts';
import { callHeaders } from '../identity.ts';
import { browserKeyOf } from '../sessions/known-places.ts';
import { describeSession, findUserByEmail } from '../queries.ts';
import {
  countWrongPassword,
  forgiveSignIns,
  spendPasswordAttempt,
} from '../passwords/password-attempts.ts';
import type { TriedAccount } from '../passwords/password-attempts.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { mailConfirmation } from '../sign-up/sign-up.ts';

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_EMAIL: 'invalid_credentials',
  PASSWORD_TOO_LONG: 'invalid_credentials',
  EMAIL_NOT_VERIFIED: 'email_not_confirmed',
  [DEACTIVATED]: 'account_deactivated',
};

/**
 * Starts a session, always a new one: the one the browser came with is ended. Whoever has two-factor is
 * signed in by `verifySecondFactor` alone. Takes as long for an
 * unknown address as for a wrong password (Better Auth hashes either way), and only the right
 * password learns more than `invalid_credentials`.
 */
export async function signIn(
  identity: Identity,
  context: Call,
  { email, password }: RouteArguments<'signIn'>['body'],
): Promise<{ reply: RouteReply<'signIn'>; cookies: readonly string[] }> {
  const { db, auth } = identity;
  const network = addressKey(context.origin.ipAddress);
  const browser = await browserKeyOf(auth, context.headers);
  const account = { email, network, browser };
  await spendSignIn(identity, account).catch((error: unknown) =>
    refuse(identity, context, email, error),
  );
  const started = await auth.api
    .signInEmail({
      body: { email, password },
      headers: callHeaders(context.origin),
      returnHeaders: true,
    })
    .catch((error: unknown) => refuse(identity, context, email, error));
  await forgiveSignIns(identity, account);

  const { response, headers } = started;
  if (isChallenge(response)) {
    const { name } = (await auth.$context).createAuthCookie('two_factor');
    return {
      reply: { ...(await describeSession(identity, db, null)), awaitsSecondFactor: true },
      // Better Auth also takes the cookie of the session back that the browser came with.
      cookies: headers.getSetCookie().filter((cookie) => cookie.startsWith(`${name}=`)),
    };
  }
  const completed = await completeSignIn(identity, context, {
    userId: response.user.id,
    token: response.token,
  });
  return {
    reply: { ...completed.reply, awaitsSecondFactor: false },
    cookies: [...headers.getSetCookie(), ...completed.cookies],
  };
}

/** Whether the password was right and Better Auth waits for the second factor; no type of it says so. */
function isChallenge(response: object): boolean {
  return 'twoFactorRedirect' in response && response.twoFactorRedirect === true;
}

/** @throws {AppError} `too_many_requests` */
async function spendSignIn(identity: Identity, account: TriedAccount): Promise<void> {
  await identity.attempts.spend('signInFromAddress', account.network);
  await spendPasswordAttempt(identity, account);
}

async function refuse(
  identity: Identity,
  context: Call,
  email: string,
  error: unknown,
): Promise<never> {
  const isLimit = error instanceof AppError;
  const code = isLimit ? error.code : REFUSALS[refusalOf(error) ?? ''];
  if (code === undefined) throw error;
  if (code === 'invalid_credentials') await countWrongPassword(identity, context.origin);
  const user = await findUserByEmail(identity.db, email);
  await recordSignInRefusal(identity, context, { userId: user?.id ?? null, reason: code });
  if (code === 'email_not_confirmed' && user !== undefined) {
    await mailConfirmation(identity, user.id);
  }
  throw isLimit ? error : new AppError(code);
}
