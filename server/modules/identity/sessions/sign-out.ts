import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { clearCookie } from './cookies.ts';
import { endSessionOfBrowser } from './end-sessions.ts';

/** Ends the session of the request, where there is one, and takes its cookie back. */
export async function signOut(
  identity: Identity,
  { actor, origin, headers }: Call & { actor: Actor | null },
): Promise<{ reply: { ok: true }; cookies: readonly string[]; clearsCache: true }> {
  await withTx(identity.db, async (tx) => {
    await endSessionOfBrowser(tx, identity, headers);
    if (actor !== null) record(tx, { actor, origin }, 'session.ended', { id: actor.id });
  });
  return {
    reply: { ok: true },
    cookies: [clearCookie(identity, 'session_token')],
    clearsCache: true,
  };
}
