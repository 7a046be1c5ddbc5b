import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';

/**
 * Locks a person until the transaction ends: the first lock of every change to what is theirs, so
 * that of two changes at once the second sees what the first did.
 *
 * @returns when their account was closed; null while it is open
 */
export async function lockPerson(tx: Tx, userId: string): Promise<{ deactivatedAt: Date | null }> {
  const person = await tx
    .selectFrom('appUser')
    .select('deactivatedAt')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return invariant(person, `no such person: ${userId}`);
}
