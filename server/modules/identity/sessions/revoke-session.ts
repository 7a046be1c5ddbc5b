import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { endSessionOf, endSessionsOf } from './end-sessions.ts';

/**
 * Ends one of the person's other sessions.
 *
 * @param currentHash hash of the token of the session that asks
 * @throws AppError not_found, also for another person's; last_session for the one that asks
 */
export async function revokeSession(
  tx: Tx,
  by: CommandContext,
  { id, currentHash }: { id: string; currentHash: string | null },
): Promise<void> {
  const ended = await endSessionOf(tx, { userId: by.actor.id, sessionId: id });
  if (ended === currentHash) throw new AppError('last_session');
  record(tx, by, 'session.revoked', { id, personId: by.actor.id });
}

/** Ends all the person's sessions but the one that asks. */
export async function revokeOtherSessions(
  tx: Tx,
  by: CommandContext,
  { currentHash }: { currentHash: string | null },
): Promise<void> {
  const sessions = await endSessionsOf(tx, by.actor.id, { kept: currentHash });
  record(tx, by, 'session.others_revoked', { id: by.actor.id, details: { sessions } });
}
