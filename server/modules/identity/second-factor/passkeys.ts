import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { PASSKEYS_MOST } from '#contract/limits.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { refusalOf } from '../auth-refusal.ts';
import type { Call, Identity } from '../identity.ts';
import { ownHeaders } from '../sessions/own-headers.ts';
import { warnOwner } from '../warn-owner.ts';

type Credential = RouteArguments<'addPasskey'>['body']['response'];
type Context = Call & CommandContext;

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  CHALLENGE_NOT_FOUND: 'passkey_expired',
  FAILED_TO_VERIFY_REGISTRATION: 'passkey_refused',
  USER_VERIFICATION_REQUIRED: 'passkey_refused',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'passkey_refused',
};

/**
 * What the browser needs to make a passkey, for five minutes and by a cookie.
 *
 * @throws {AppError} `passkeys_full`
 */
export async function beginPasskey(
  identity: Identity,
  context: Context,
): Promise<{ reply: RouteReply<'beginPasskey'>; cookies: readonly string[] }> {
  await withTx(identity.db, (tx) => refuseMore(tx, context.actor.id));
  const { response, headers } = await identity.auth.api.generatePasskeyRegistrationOptions({
    headers: await ownHeaders(identity, context),
    returnHeaders: true,
  });
  return { reply: response, cookies: headers.getSetCookie() };
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
  const { actor } = context;
  await withTx(identity.db, (tx) => refuseMore(tx, actor.id));
  const made = await identity.auth.api
    .verifyPasskeyRegistration({
      body: { response: credentialOf(response), name },
      headers: await ownHeaders(identity, context),
    })
    .catch((error: unknown) => {
      const code = REFUSALS[refusalOf(error) ?? ''];
      throw code === undefined ? error : new AppError(code);
    });
  await withTx(identity.db, async (tx) => {
    recordAudit(tx, {
      by: context,
      action: 'passkey.added',
      subjectType: 'user',
      subjectId: actor.id,
      personId: actor.id,
      details: { passkey: made.id },
    });
    warnOwner(tx, actor, {
      kind: 'passkey-added',
      what: `A passkey was added to your account: ${name}`,
      at: identity.services.clock.now(),
    });
  });
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
  recordAudit(tx, {
    by,
    action: 'passkey.renamed',
    subjectType: 'user',
    subjectId: actor.id,
    personId: actor.id,
    details: { passkey: id },
  });
  warnOwner(tx, actor, {
    kind: 'passkey-renamed',
    what: `A passkey on your account was renamed: ${former.name ?? 'without a name'} is now ${name}`,
    at: clock.now(),
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
  const removed = await tx
    .deleteFrom('authPasskey')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returning('name')
    .executeTakeFirst();
  if (removed === undefined) throw new AppError('not_found');
  recordAudit(tx, {
    by,
    action: 'passkey.removed',
    subjectType: 'user',
    subjectId: actor.id,
    personId: actor.id,
    details: { passkey: id },
  });
  warnOwner(tx, actor, {
    kind: 'passkey-removed',
    what: `A passkey was removed from your account: ${removed.name ?? 'without a name'}`,
    at: clock.now(),
  });
}

/** What the library wants of what the browser sent; extensions are not used. */
function credentialOf({ id, rawId, type, response }: Credential) {
  const { transports = [], ...made } = response;
  return { ...{ id, rawId, type, clientExtensionResults: {} }, response: { ...made, transports } };
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
