import { WELCOME_LINK_LIFE_HOURS } from '#contract/limits.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { listen } from './auth-callbacks.ts';
import type { Identity } from './identity.ts';

/** The token of a link to choose a first password. */
interface PasswordToken {
  token: string;
  expiresAt: Date;
}

/**
 * Makes the token of a link by which somebody chooses their first password: good once, for
 * WELCOME_LINK_LIFE_HOURS, and only its hash is kept. Those made before do not work any more.
 *
 * Null when the person has a password: whoever sees such a link could take their account over. That
 * is asked after the token is there, because the person may choose one meanwhile: choosing it commits
 * before it deletes the person's tokens, so that either of the two finds the other.
 */
export async function createPasswordToken(
  { auth, db, services }: Pick<Identity, 'auth' | 'db' | 'services'>,
  { id, email }: { id: string; email: string },
): Promise<PasswordToken | null> {
  await withTx(db, (tx) => deleteTokens(tx, id));
  const { reported } = await listen(() => auth.api.requestPasswordReset({ body: { email } }));
  const token = invariant(reported.linkToken, 'a person gets a token');
  return withTx(db, async (tx) => {
    if (await hasPassword(tx, id)) {
      await deleteTokens(tx, id);
      return null;
    }
    const expiresAt = new Date(
      services.clock.now().getTime() + WELCOME_LINK_LIFE_HOURS * 3_600_000,
    );
    await tx.updateTable('authVerification').set({ expiresAt }).where('value', '=', id).execute();
    return { token, expiresAt };
  });
}

async function hasPassword(tx: Tx, userId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('authAccount')
    .select('id')
    .where('userId', '=', userId)
    .where('password', 'is not', null)
    .executeTakeFirst();
  return account !== undefined;
}

async function deleteTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
}
