import type { Tx } from '#server/db/tx.ts';

/**
 * Sets a person's password, the first one or another. What follows from it (sessions, links) is the
 * caller's.
 *
 * @param password.passwordHash of `hashPassword`, made outside the transaction
 */
export async function setPassword(
  tx: Tx,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('authAccount')
    .values({ userId, password: passwordHash, createdAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ password: passwordHash, updatedAt: at }),
    )
    .execute();
}
