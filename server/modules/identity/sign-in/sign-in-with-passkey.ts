import type { RouteArguments, RouteReply, Session } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import { DEACTIVATED } from '../auth.ts';
import { refusalOf } from '../auth-refusal.ts';
import { completeSignIn } from './complete-sign-in.ts';
import type { Call, Identity } from '../identity.ts';
import { callHeaders } from '../identity.ts';
import { recordSignInRefusal } from '../record-refusal.ts';
import { headersAfter, passkeyCookie, sessionTokenOf } from '../sessions/session-cookie.ts';

type Credential = RouteArguments<'signInWithPasskey'>['body']['response'];

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  CHALLENGE_NOT_FOUND: 'passkey_expired',
  PASSKEY_NOT_FOUND: 'passkey_refused',
  AUTHENTICATION_FAILED: 'passkey_refused',
  USER_VERIFICATION_REQUIRED: 'passkey_refused',
  [DEACTIVATED]: 'account_deactivated',
};

/** What the browser needs to use a passkey, for five minutes and by a cookie; names nobody's. */
export async function beginPasskeySignIn(
  { auth, attempts }: Identity,
  { origin }: Call,
): Promise<{ reply: RouteReply<'beginPasskeySignIn'>; cookies: readonly string[] }> {
  await attempts.spend('passkeyFromAddress', addressKey(origin.ipAddress));
  const { response, headers } = await auth.api.generatePasskeyAuthenticationOptions({
    headers: callHeaders(origin),
    returnHeaders: true,
  });
  // The plugin always says 'preferred', and does not look at it afterwards; `auth.ts` does.
  const reply = { ...response, userVerification: 'required' as const };
  return { reply, cookies: headers.getSetCookie() };
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
  const { auth, attempts, db } = identity;
  await attempts.spend('signInFromAddress', addressKey(context.origin.ipAddress));
  const started = await auth.api
    .verifyPasskeyAuthentication({
      body: { response: credentialOf(response) },
      // The challenge alone: no session of this browser has a part in it.
      headers: callHeaders(context.origin, await passkeyCookie(auth, context.headers)),
      returnHeaders: true,
    })
    .catch((error: unknown) => refuse(identity, context, { credentialId: response.id, error }));
  const cookies = started.headers.getSetCookie();
  const token = await sessionTokenOf(auth, headersAfter(cookies));
  await withTx(db, (tx) =>
    tx
      .updateTable('authPasskey')
      .set({ lastUsedAt: identity.services.clock.now() })
      .where('credentialId', '=', response.id)
      .execute(),
  );
  const completed = await completeSignIn(identity, context, {
    userId: started.response.user.id,
    token,
  });
  return { reply: completed.reply, cookies: [...cookies, ...completed.cookies] };
}

/** What the library wants of what the browser sent; extensions are not used. */
function credentialOf({ id, rawId, type, response }: Credential) {
  const { userHandle, ...signed } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
  };
}

async function refuse(
  identity: Identity,
  context: Call,
  { credentialId, error }: { credentialId: string; error: unknown },
): Promise<never> {
  const code = REFUSALS[refusalOf(error) ?? ''];
  if (code === undefined) throw error;
  const owner = await identity.db
    .selectFrom('authPasskey')
    .select('userId')
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
  await recordSignInRefusal(identity, context, { userId: owner?.userId ?? null, reason: code });
  throw new AppError(code);
}
