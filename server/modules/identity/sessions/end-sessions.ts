import type { Tx } from '#server/db/tx.ts';
import { publishTopics } from '#server/events/outbox.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Identity } from '../identity.ts';
import { sessionHashOf } from './cookies.ts';

/**
 * Ends all sessions of a person, but the one whose token has the hash `kept`, and lets their open screens know
 * immediately.
 *
 * @returns how many were ended
 */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  { kept = null }: { kept?: string | null } = {},
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('authSession')
    .where('userId', '=', userId)
    .where('tokenHash', 'is distinct from', kept)
    .executeTakeFirst();
  publishTopics(tx, { owner: ['sessions'] }, userId);
  return Number(numDeletedRows);
}

/**
 * Ends one session of a person.
 *
 * @returns the hash of its token
 * @throws {AppError} `not_found`, also for another person's
 */
export async function endSessionOf(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string> {
  const ended = await tx
    .deleteFrom('authSession')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('tokenHash')
    .executeTakeFirst();
  if (ended === undefined) throw new AppError('not_found');
  publishTopics(tx, { owner: ['sessions'] }, userId);
  return ended.tokenHash;
}

/** Ends the session that a browser came with, if any, because another takes its place or its user leaves. */
export async function endSessionOfBrowser(
  tx: Tx,
  identity: Pick<Identity, 'secrets' | 'url'>,
  headers: Headers,
): Promise<void> {
  await tx
    .deleteFrom('authSession')
    .where('tokenHash', '=', sessionHashOf(identity, headers))
    .execute();
}
