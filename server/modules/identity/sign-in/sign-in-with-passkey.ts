import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { RouteArguments, RouteReply, Session } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import type { Call, Identity } from '../identity.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import {
  keepChallenge,
  conditionsOf,
  relyingParty,
  takeChallenge,
} from '../second-factor/passkey-challenge.ts';
import { completeSignIn } from './complete-sign-in.ts';

type Credential = RouteArguments<'signInWithPasskey'>['body']['response'];

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
  const { attempts, db } = identity;
  await attempts.spend('signInFromAddress', addressKey(context.origin.ipAddress));
  const passkey = await db
    .selectFrom('authPasskey')
    .select(['id', 'userId', 'credentialId', 'publicKey', 'counter'])
    .where('credentialId', '=', response.id)
    .executeTakeFirst();
  try {
    const challenge = await takeChallenge(identity, 'passkey-sign-in', context.headers);
    if (passkey === undefined) throw new AppError('passkey_refused');
    const counter = await verifyUse(identity, { challenge, response, passkey });
    await withTx(db, (tx) =>
      tx
        .updateTable('authPasskey')
        .set({ counter, lastUsedAt: identity.services.clock.now() })
        .where('id', '=', passkey.id)
        .execute(),
    );
    return await completeSignIn(identity, context, passkey.userId);
  } catch (error) {
    if (error instanceof AppError) {
      const userId = passkey?.userId ?? null;
      await recordSignInRefusal(identity, context, { userId, reason: error.code });
    }
    throw error;
  }
}

/**
 * @returns count of uses by the device, which never goes back
 * @throws {AppError} `passkey_refused`, also where the device did not verify its user
 */
async function verifyUse(
  identity: Identity,
  {
    challenge,
    response,
    passkey,
  }: {
    challenge: string;
    response: Credential;
    passkey: { credentialId: string; publicKey: string; counter: number };
  },
): Promise<number> {
  const { userHandle, ...signed } = response.response;
  const checked = await verifyAuthenticationResponse({
    response: {
      ...response,
      response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
      counter: passkey.counter,
    },
    ...conditionsOf(identity, challenge),
    // The library refuses by an error.
  }).catch(() => null);
  if (checked?.verified !== true) throw new AppError('passkey_refused');
  return checked.authenticationInfo.newCounter;
}
