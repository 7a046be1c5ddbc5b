import { SESSION_LIFE_DAYS } from '#contract/limits.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext, RequestOrigin } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newToken } from '#server/lib/ids.ts';
import type { Call, Identity } from '../identity.ts';
import { endSessionsOf } from './end-sessions.ts';
import { browserKeyOf } from './known-places.ts';
import { sessionCookie, sessionHashOf, tokenHash } from './cookies.ts';

type Starting = Pick<Identity, 'secrets' | 'services' | 'url'>;

/** Browser of a confirmation, as `browserKeyOf` says: null for one without the cookie. */
interface ConfirmedBrowser {
  browser: string | null;
}

/** Longest name of a browser that is kept. */
const MAX_USER_AGENT = 300;

/**
 * Starts a session for SESSION_LIFE_DAYS. The caller knows who it is, and ends the sessions that it
 * replaces.
 *
 * @param session.confirmed browser in which its user has just shown who they are; null if they have not
 * @returns its Set-Cookie header
 */
export async function startSession(
  tx: Tx,
  identity: Starting,
  session: { userId: string; origin: RequestOrigin; confirmed: ConfirmedBrowser | null },
): Promise<string> {
  const { userId, origin, confirmed } = session;
  const now = identity.services.clock.now();
  const token = newToken();
  await tx
    .insertInto('authSession')
    .values({
      userId,
      tokenHash: tokenHash(token),
      ipAddress: origin.ipAddress,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      expiresAt: new Date(now.getTime() + SESSION_LIFE_DAYS * 86_400_000),
      ...(confirmed !== null && { confirmedAt: now, confirmedIn: confirmed.browser }),
    })
    .execute();
  return sessionCookie(identity, token);
}

/**
 * Replaces the session of the acting person by a new, confirmed one, because what it may do or how it
 * was protected has changed: whoever has the former cookie has nothing.
 *
 * @param options.endsOthers true to end the person's sessions elsewhere as well
 * @returns its Set-Cookie header
 * @throws {AppError} `unauthenticated` where the session was ended since the request was let in
 */
export async function renewSession(
  tx: Tx,
  identity: Starting,
  { actor, origin, headers }: Call & CommandContext,
  { endsOthers = false }: { endsOthers?: boolean } = {},
): Promise<string> {
  const former = sessionHashOf(identity, headers);
  if (endsOthers) await endSessionsOf(tx, actor.id, { kept: former });
  const { numDeletedRows } = await tx
    .deleteFrom('authSession')
    .where('tokenHash', '=', former)
    .where('userId', '=', actor.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('unauthenticated');
  const confirmed = { browser: browserKeyOf(identity, headers) };
  return startSession(tx, identity, { userId: actor.id, origin, confirmed });
}
