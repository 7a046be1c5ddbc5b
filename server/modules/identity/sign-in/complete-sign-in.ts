import type { Session } from '#contract/api.ts';
import { browserOf } from '#contract/browser-of.ts';
import { withTx } from '#server/db/tx.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { callHeaders } from '../identity.ts';
import { addressOf, rememberPlace } from '../sessions/known-places.ts';
import { presentActor } from '../present.ts';
import { describeSession } from '../queries.ts';
import { sessionTokenOf } from '../sessions/session-cookie.ts';

/**
 * Signs a person in who has just chosen a password by a link, without asking for it again.
 */
export async function startSignedIn(
  identity: Identity,
  context: Call,
  userId: string,
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const { response, headers } = await identity.auth.api.startSession({
    body: { userId },
    headers: callHeaders(context.origin),
    returnHeaders: true,
  });
  const completed = await completeSignIn(identity, context, { userId, token: response.token });
  return { ...completed, cookies: [...headers.getSetCookie(), ...completed.cookies] };
}

/**
 * What belongs to every sign-in, however it was done: the session is a confirmed one, the one that the
 * browser came with is ended, it is recorded, and the owner is notified of a place where they never signed
 * in before.
 *
 * @param started.token of the session that Better Auth has just started
 */
export async function completeSignIn(
  identity: Identity,
  context: Call,
  { userId, token }: { userId: string; token: string | null },
): Promise<{ reply: Session; cookies: readonly string[] }> {
  const previousToken = await sessionTokenOf(identity.auth, context.headers);
  return withTx(identity.db, async (tx) => {
    const now = identity.services.clock.now();
    const user = await tx
      .updateTable('appUser')
      .set({ lastLoginAt: now })
      .where('id', '=', userId)
      .returning(['id', 'role', 'name', 'isAlsoEmployee'])
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('authSession')
      .set({ confirmedAt: now })
      .where('token', '=', token)
      .execute();
    if (previousToken !== null) {
      await tx.deleteFrom('authSession').where('token', '=', previousToken).execute();
    }
    const { news, cookie } = await rememberPlace(tx, identity.auth, {
      ...context,
      userId,
      at: now,
    });
    const by = { actor: presentActor(user), origin: context.origin };
    record(tx, by, 'session.started', {
      id: userId,
      at: now,
      isSilent: news === null,
      words: {
        news,
        browser: browserOf(context.origin.userAgent),
        address: addressOf(context.origin),
      },
    });
    await identity.completePerson(tx, userId);
    return { reply: await describeSession(identity, tx, userId), cookies: [cookie] };
  });
}
