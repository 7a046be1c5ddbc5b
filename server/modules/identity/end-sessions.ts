import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';

/**
 * Ends all sessions of a person, but the one with the token `kept`, and has their open screens find
 * out at once.
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
    .where('token', 'is distinct from', kept)
    .executeTakeFirst();
  publishEnded(tx, userId);
  return Number(numDeletedRows);
}

/** Has the open screens of a person ask whether they are still signed in. */
export function publishEnded(tx: Tx, userId: string): void {
  publish(tx, { topic: 'sessions', userId });
}
