import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newToken } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { deleteFeed } from '../calendar/calendar-feeds.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { forgetBrowsers } from '../sessions/known-places.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';
import { revokeKeysOf } from '../api-keys/revoke-api-key.ts';
import { revokeInvitesOf } from '../invites/revoke-invite.ts';
import type { Identity } from '../identity.ts';
import { findByLinkToken, spendLinksOf } from '../link-token.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { removeSecondFactorSince } from '../second-factor/reset-two-factor.ts';

/**
 * The link of a report, now, and the hash of a password that nobody knows.
 *
 * @throws {AppError} `link_invalid`, before the work of a hash: wrong links cost little
 */
export async function openReport<Purpose extends 'report-email' | 'report-notice'>(
  { db, services }: Identity,
  purpose: Purpose,
  token: string,
) {
  const at = services.clock.now();
  const link = { purpose, token, now: at } as const;
  if ((await findByLinkToken(db, link)) === null) throw new AppError('link_invalid');
  return { at, link, passwordHash: await hashPassword(newToken()) };
}

/**
 * Shuts everybody out of an account whose owner said, by a mailed link, that something was not them: all
 * are signed out, API keys and invites made in their name and the address of their calendar end, neither the
 * password nor a passkey works any more, so that a link to the account's address is the only way in, and
 * payouts are frozen until an admin has looked. Mailed links end too, so that a thief who read the mail cannot
 * shut the owner out again, and a second factor as `removeSecondFactorSince` says. The person's row is locked already.
 *
 * @param passwordHash of a password that nobody knows
 * @param since time of the first act that the owner does not recognize
 * @returns the person's name
 */
export async function shutOut(
  tx: Tx,
  by: AuditContext,
  {
    userId,
    passwordHash,
    since,
    at,
  }: { userId: string; passwordHash: string; since: Date; at: Date },
): Promise<string> {
  const { name, payoutsFrozenAt } = await tx
    .selectFrom('appUser')
    .select(['name', 'payoutsFrozenAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: payoutsFrozenAt ?? at, passwordResetAt: at, updatedAt: at })
    .where('id', '=', userId)
    .execute();
  if (payoutsFrozenAt === null) journal(tx, by, person, 'freezeReported', { id: userId, at });
  await tx
    .updateTable('authAccount')
    .set({ password: passwordHash, updatedAt: at })
    .where('userId', '=', userId)
    .execute();
  await cancelEmailChanges(tx, userId, at);
  await spendLinksOf(tx, { userId, since });
  await endSessionsOf(tx, userId);
  const made = { userId, revokedBy: userId, at };
  await revokeKeysOf(tx, by, made);
  await revokeInvitesOf(tx, by, made);
  await deleteFeed(tx, userId);
  await forgetBrowsers(tx, userId);
  await removeSecondFactorSince(tx, by, { userId, since, at });
  await tx.deleteFrom('authPasskey').where('userId', '=', userId).execute();
  return name;
}
