import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Call, Identity } from '../identity.ts';
import { ownHeaders } from './own-headers.ts';

/** Ends the session of the request, where there is one, and takes its cookie back. */
export async function signOut(
  identity: Identity,
  { actor, origin, headers }: Call & { actor: Actor | null },
): Promise<{ reply: { ok: true }; cookies: readonly string[]; clearsCache: true }> {
  const ended = await identity.auth.api.signOut({
    headers: await ownHeaders(identity, { origin, headers }),
    returnHeaders: true,
  });
  if (actor !== null) {
    await withTx(identity.db, (tx) =>
      recordAudit(tx, {
        by: { actor, origin },
        action: 'session.ended',
        subjectType: 'user',
        subjectId: actor.id,
        personId: actor.id,
      }),
    );
  }
  return { reply: { ok: true }, cookies: ended.headers.getSetCookie(), clearsCache: true };
}
