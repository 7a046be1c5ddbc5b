import { withTx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { addressKey } from './attempts.ts';
import { listen } from './auth-callbacks.ts';
import { refusalOf } from './auth-refusal.ts';
import { publishEnded } from './end-sessions.ts';
import type { Call, Identity } from './identity.ts';
import { browserKeyOf, forgetBrowsers } from './known-places.ts';
import { forgiveSignIns } from './password-attempts.ts';
import { cancelEmailChanges } from './request-email-change.ts';
import { readOwner, refuseGuessable } from './refuse-guessable.ts';
import { warnOwner } from './warn-owner.ts';

/**
 * Sets a new password with a mailed token, which is spent by it and with it all others of this
 * person; ends all their sessions. Having had the mail also confirms the address.
 *
 * @throws AppError link_invalid; as `refuseGuessable`, with the token still good
 */
export async function resetPassword(
  identity: Identity,
  { origin, headers }: Call,
  input: { token: string; password: string },
): Promise<void> {
  await identity.attempts.spend('linkFromAddress', addressKey(origin.ipAddress));
  await refuseGuessableByToken(identity, input);
  const { reported } = await listen(() =>
    identity.auth.api.resetPassword({ body: { token: input.token, newPassword: input.password } }),
  ).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal === 'INVALID_TOKEN' || refusal === 'USER_NOT_FOUND') {
      throw new AppError('link_invalid');
    }
    throw error;
  });
  const userId = invariant(reported.resetUserId, 'a reset that does not say whose password it was');
  const { email } = await withTx(identity.db, async (tx) => {
    const at = identity.services.clock.now();
    await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
    await cancelEmailChanges(tx, userId, at);
    await forgetBrowsers(tx, userId);
    const person = await tx
      .updateTable('appUser')
      .set({ emailVerified: true, passwordResetAt: at })
      .where('id', '=', userId)
      .returning(['id', 'role', 'email'])
      .executeTakeFirstOrThrow();
    publishEnded(tx, userId);
    recordAudit(tx, {
      by: { actor: 'visitor', origin },
      action: 'password.reset',
      subjectType: 'user',
      subjectId: userId,
      personId: userId,
    });
    warnOwner(tx, person, {
      kind: 'password-changed',
      what: 'A new password was chosen by a link that we mailed, and everyone was signed out',
      at,
    });
    return person;
  });
  await forgiveSignIns(identity, {
    email,
    network: addressKey(origin.ipAddress),
    browser: await browserKeyOf(identity.auth, headers),
  });
}

/** A token that is not good has nobody's name to compare with, and is refused afterwards. */
async function refuseGuessableByToken(
  { db, auth }: Identity,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { internalAdapter } = await auth.$context;
  const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
  if (!found) return;
  const owner = await readOwner(db, found.value);
  await refuseGuessable(db, { field: 'password', password, owner });
}
