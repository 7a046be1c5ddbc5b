import type { Session } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Call, Identity } from './identity.ts';
import { presentActor } from './present.ts';
import { describeSession } from './queries.ts';
import { sessionTokenOf } from './session-cookie.ts';

/**
 * What belongs to every sign-in, however it was done: the session is a confirmed one, the one that the
 * browser came with is ended, and it is recorded.
 *
 * @param started.token of the session that Better Auth has just started
 */
export async function completeSignIn(
  identity: Identity,
  context: Call,
  { userId, token }: { userId: string; token: string | null },
): Promise<Session> {
  const previousToken = await sessionTokenOf(identity.auth, context.headers);
  return withTx(identity.db, async (tx) => {
    const now = identity.services.clock.now();
    const user = await tx
      .updateTable('appUser')
      .set({ lastLoginAt: now })
      .where('id', '=', userId)
      .returning(['id', 'role', 'name'])
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('authSession')
      .set({ confirmedAt: now })
      .where('token', '=', token)
      .execute();
    if (previousToken !== null) {
      await tx.deleteFrom('authSession').where('token', '=', previousToken).execute();
    }
    recordAudit(tx, {
      by: { actor: presentActor(user), origin: context.origin },
      action: 'session.started',
      subjectType: 'user',
      subjectId: userId,
      personId: userId,
    });
    await identity.onSignedIn(tx, userId);
    return describeSession(identity, tx, userId);
  });
}
