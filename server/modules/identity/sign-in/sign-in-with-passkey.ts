import type { RouteArguments, RouteReply, Session } from '#contract/api.ts';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { keepChallenge, relyingParty } from '../second-factor/passkey-challenge.ts';
import { checkPasskey, findPasskey } from '../second-factor/use-passkey.ts';
import { completeSignIn } from './complete-sign-in.ts';

/** Options with which a browser uses a passkey, good for five minutes and by a cookie. They name nobody's. */
export async function beginPasskeySignIn(
  identity: Identity,
  { origin }: Call,
): Promise<{ reply: RouteReply<'beginPasskeySignIn'>; cookies: readonly string[] }> {
  await identity.attempts.spend('passkeyFromAddress', addressKey(origin.ipAddress));
  const { rpID } = relyingParty(identity);
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  const cookie = await keepChallenge(identity, 'passkey-sign-in', options.challenge);
  return { reply: { ...options, userVerification: 'required' }, cookies: [cookie] };
}

/**
 * Starts a session by a passkey, which stands for both factors: the device, and the finger, face or PIN
 * that it asked for. The challenge works once.
 *
 * @throws {AppError} `passkey_refused`, `passkey_expired`, `account_deactivated`, `too_many_requests`
 */
export async function signInWithPasskey(
  identity: Identity,
  context: Call,
  { response }: RouteArguments<'signInWithPasskey'>['body'],
): Promise<{ reply: Session; cookies: readonly string[] }> {
  await identity.attempts.spend('signInFromAddress', addressKey(context.origin.ipAddress));
  const passkey = await findPasskey(identity.db, response);
  try {
    const used = {
      purpose: 'passkey-sign-in',
      headers: context.headers,
      passkey,
      response,
    } as const;
    const userId = await checkPasskey(identity, used);
    return await completeSignIn(identity, context, userId);
  } catch (error) {
    if (error instanceof AppError) {
      const userId = passkey?.userId ?? null;
      await recordSignInRefusal(identity, context, { userId, reason: error.code });
    }
    throw error;
  }
}
