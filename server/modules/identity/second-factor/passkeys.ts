import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { AuthenticatorTransportFuture } from '@simplewebauthn/server';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { PASSKEYS_MOST } from '#contract/limits.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { isUniqueViolation, withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { keepChallenge, conditionsOf, relyingParty, takeChallenge } from './passkey-challenge.ts';

type Credential = RouteArguments<'addPasskey'>['body']['response'];
type Context = Call & CommandContext;

/**
 * Options with which a browser makes a passkey, good for five minutes and by a cookie.
 *
 * @throws {AppError} `passkeys_full`
 */
export async function beginPasskey(
  identity: Identity,
  { actor }: Context,
): Promise<{ reply: RouteReply<'beginPasskey'>; cookies: readonly string[] }> {
  const { db } = identity;
  await withTx(db, (tx) => refuseMore(tx, actor.id));
  const { email } = await db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  const passkeys = await db
    .selectFrom('authPasskey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', actor.id)
    .execute();
  const reply = await generateRegistrationOptions({
    rpName: 'Purser',
    rpID: relyingParty(identity).rpID,
    userName: email,
    userDisplayName: email,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const value = `${actor.id} ${reply.challenge}`;
  return { reply, cookies: [await keepChallenge(identity, 'passkey-addition', value)] };
}

/**
 * Takes the passkey that the browser made: a way to sign in from now on, of which the owner is notified.
 *
 * @throws {AppError} `passkey_refused`, `passkey_expired`, `passkeys_full`
 */
export async function addPasskey(
  identity: Identity,
  context: Context,
  { name, response }: RouteArguments<'addPasskey'>['body'],
): Promise<void> {
  const { actor, headers } = context;
  const kept = await takeChallenge(identity, 'passkey-addition', headers);
  const [userId, challenge = ''] = kept.split(' ');
  if (userId !== actor.id) throw new AppError('passkey_refused');
  const { credential } = await verifyAddition(identity, { challenge, response });
  await withTx(identity.db, async (tx) => {
    await refuseMore(tx, actor.id);
    const at = identity.services.clock.now();
    const { id } = await tx
      .insertInto('authPasskey')
      .values({
        userId,
        name,
        createdAt: at,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64'),
        counter: credential.counter,
        transports: response.response.transports?.join(',') ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        const isKnown = isUniqueViolation(error, 'auth_passkey_credential_id_key');
        throw isKnown ? new AppError('passkey_refused') : error;
      });
    record(tx, context, 'passkey.added', {
      id: actor.id,
      at,
      details: { passkey: id },
      words: { passkey: name },
    });
  });
}

/** @throws {AppError} `passkey_refused`, also where the device did not verify its user */
async function verifyAddition(
  identity: Identity,
  { challenge, response }: { challenge: string; response: Credential },
) {
  const { attestationObject, clientDataJSON } = response.response;
  const checked = await verifyRegistrationResponse({
    response: {
      ...response,
      response: { attestationObject, clientDataJSON },
      clientExtensionResults: {},
    },
    ...conditionsOf(identity, challenge),
    // The library refuses by an error.
  }).catch(() => null);
  if (checked?.verified !== true) throw new AppError('passkey_refused');
  return checked.registrationInfo;
}

/**
 * Calls one of the acting person's passkeys by another name, of which they are notified: whoever uses
 * another's session must not make a passkey look like one of theirs.
 *
 * @throws {AppError} `not_found`, also for another person's
 */
export async function renamePasskey(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { actor } = by;
  const former = await tx
    .selectFrom('authPasskey')
    .select('name')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .forUpdate()
    .executeTakeFirst();
  if (former === undefined) throw new AppError('not_found');
  if (former.name === name) return;
  await tx.updateTable('authPasskey').set({ name }).where('id', '=', id).execute();
  record(tx, by, 'passkey.renamed', {
    id: actor.id,
    at: clock.now(),
    details: { passkey: id },
    words: { former: former.name ?? 'without a name', passkey: name },
  });
}

/**
 * Removes one of the acting person's passkeys, of which they are notified. Sessions that it started go on.
 *
 * @throws {AppError} `not_found`, also for another person's
 */
export async function removePasskey(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  const { actor } = by;
  await lockUser(tx, actor.id);
  const removed = await tx
    .deleteFrom('authPasskey')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returning('name')
    .executeTakeFirst();
  if (removed === undefined) throw new AppError('not_found');
  record(tx, by, 'passkey.removed', {
    id: actor.id,
    at: clock.now(),
    details: { passkey: id },
    words: { passkey: removed.name ?? 'without a name' },
  });
}

/** Transports of a passkey, as its browser named them. */
function transportsOf(kept: string | null): AuthenticatorTransportFuture[] {
  return (kept ? kept.split(',') : []) as AuthenticatorTransportFuture[];
}

async function refuseMore(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  const { count } = await tx
    .selectFrom('authPasskey')
    .select((expression) => expression.fn.countAll<bigint>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (count >= BigInt(PASSKEYS_MOST)) throw new AppError('passkeys_full', { most: PASSKEYS_MOST });
}
