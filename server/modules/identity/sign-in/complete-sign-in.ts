import type { Session } from '#contract/api.ts';
import { browserOf } from '#contract/browser-of.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { actorOf } from '#server/lib/actor.ts';
import { describeSession } from '../queries.ts';
import { endSessionOfBrowser } from '../sessions/end-sessions.ts';
import { addressOf, rememberPlace } from '../sessions/known-places.ts';
import { startSession } from '../sessions/start-session.ts';

/**
 * Signs a person in who has shown who they are, however they did: a new session starts, the one that the browser
 * came with ends, it is recorded, and the owner is notified of a place where they never signed in before. The
 * sign-in is a confirmation as well, in a browser that the person has used before. The person's row is locked, so that
 * they are not deactivated before the session has started.
 *
 * @throws {AppError} `account_deactivated`
 */
export async function completeSignIn(
  identity: Identity,
  context: Call,
  userId: string,
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const { origin, headers } = context;
  return withTx(identity.db, async (tx) => {
    const now = identity.services.clock.now();
    const former = await tx
      .selectFrom('appUser')
      .select(['lastLoginAt', 'passwordResetAt'])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Whoever chose the password last may not be the owner, also where nobody has signed in before.
    const isFirst = former?.lastLoginAt === null && former.passwordResetAt === null;
    const user = await tx
      .updateTable('appUser')
      .set({ lastLoginAt: now })
      .where('id', '=', userId)
      .where('deactivatedAt', 'is', null)
      .returning(['id', 'role', 'name', 'isAlsoEmployee'])
      .executeTakeFirst();
    if (user === undefined) throw new AppError('account_deactivated');
    await endSessionOfBrowser(tx, identity, headers);
    const place = { ...context, userId, isFirst, at: now };
    const { news, browser, newUntil, cookie } = await rememberPlace(tx, identity, place);
    const session = await startSession(tx, identity, {
      userId,
      origin,
      browser,
      newUntil,
      isConfirmed: news !== 'browser',
    });
    record(tx, { actor: actorOf(user), origin }, 'session.started', {
      id: userId,
      at: now,
      isSilent: news === null,
      words: { news, browser: browserOf(origin.userAgent), address: addressOf(origin) },
    });
    await identity.completePerson(tx, userId);
    return { reply: await describeSession(identity, tx, userId), cookies: [session, cookie] };
  });
}
