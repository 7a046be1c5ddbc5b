import { SESSION_LIFE_DAYS } from '#contract/limits.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext, RequestOrigin } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newToken } from '#server/lib/ids.ts';
import type { Call, Identity } from '../identity.ts';
import { endSessionsOf } from './end-sessions.ts';
import { browserKeyOf, sessionCookie, sessionHashOf, tokenHash } from './cookies.ts';

type Starting = Pick<Identity, 'secrets' | 'services' | 'url'>;

/** Browser of a session. */
interface SessionBrowser {
  /** As `browserKeyOf` says. */
  browser: string | null;
  /** End of its first week; null for one that is not new. */
  newUntil: Date | null;
}

/** Longest name of a browser that is kept. */
const MAX_USER_AGENT = 300;

/**
 * Starts a session for SESSION_LIFE_DAYS. The caller knows who it is, and ends the sessions that it
 * replaces.
 *
 * @param session.isConfirmed true if its user has just shown, in this browser, who they are
 * @returns its Set-Cookie header
 */
export async function startSession(
  tx: Tx,
  identity: Starting,
  session: SessionBrowser & { userId: string; origin: RequestOrigin; isConfirmed: boolean },
): Promise<string> {
  const { userId, origin, browser, newUntil, isConfirmed } = session;
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
      browser,
      browserNewUntil: newUntil,
      ...(isConfirmed && { confirmedAt: now, confirmedIn: browser }),
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
  const began = await tx
    .deleteFrom('authSession')
    .where('tokenHash', '=', former)
    .where('userId', '=', actor.id)
    .returning(['browser', 'browserNewUntil'])
    .executeTakeFirst();
  if (began === undefined) throw new AppError('unauthenticated');
  return startSession(tx, identity, {
    userId: actor.id,
    origin,
    isConfirmed: true,
    browser: began.browser ?? browserKeyOf(identity, headers),
    newUntil: began.browserNewUntil,
  });
}

/** Browser in which the session of a request began. */
export async function browserOfSession(
  tx: Tx,
  identity: Starting,
  headers: Headers,
): Promise<SessionBrowser> {
  const began = await tx
    .selectFrom('authSession')
    .select(['browser', 'browserNewUntil'])
    .where('tokenHash', '=', sessionHashOf(identity, headers))
    .executeTakeFirst();
  return { browser: began?.browser ?? null, newUntil: began?.browserNewUntil ?? null };
}
