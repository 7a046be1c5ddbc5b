import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { RouteArguments } from '#contract/api.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Identity } from '../identity.ts';
import { conditionsOf, takeChallenge } from './passkey-challenge.ts';
import type { Purpose } from './passkey-challenge.ts';

type Credential = RouteArguments<'signInWithPasskey'>['body']['response'];

interface Passkey {
  id: string;
  userId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
}

/** The kept passkey that a browser names; undefined for one that nobody has here. */
export function findPasskey(db: Db, { id }: Pick<Credential, 'id'>): Promise<Passkey | undefined> {
  return db
    .selectFrom('authPasskey')
    .select(['id', 'userId', 'credentialId', 'publicKey', 'counter'])
    .where('credentialId', '=', id)
    .executeTakeFirst();
}

/**
 * Checks that a passkey signed the challenge that was kept for this browser and purpose, and notes its use. The
 * challenge is spent whatever the answer is worth.
 *
 * @returns id of the passkey's owner
 * @throws {AppError} `passkey_refused`, also where the device did not verify its user; `passkey_expired`
 */
export async function checkPasskey(
  identity: Identity,
  {
    purpose,
    headers,
    passkey,
    response,
  }: {
    purpose: Purpose;
    headers: Headers;
    passkey: Passkey | undefined;
    response: Credential;
  },
): Promise<string> {
  const challenge = await takeChallenge(identity, purpose, headers);
  if (passkey === undefined) throw new AppError('passkey_refused');
  const counter = await verifyUse(identity, { challenge, response, passkey });
  await withTx(identity.db, (tx) =>
    tx
      .updateTable('authPasskey')
      .set({ counter, lastUsedAt: identity.services.clock.now() })
      .where('id', '=', passkey.id)
      .execute(),
  );
  return passkey.userId;
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
    passkey: Passkey;
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
