import type { RouteReply } from '#contract/api.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { RequestOrigin } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { adviceTo, record } from '#server/modules/journal/index.ts';
import { addressKey } from '../attempts.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import type { Call, Identity } from '../identity.ts';
import { forgetBrowsers } from '../sessions/known-places.ts';
import { browserKeyOf } from '../sessions/cookies.ts';
import { spendLinkToken } from '../link-token.ts';
import { findPasswordLinkOwner } from './open-password-link.ts';
import { forgiveSignIns } from '../passwords/password-attempts.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { setPassword } from '../passwords/set-password.ts';
import { readOwner, refuseGuessable, refusePresent } from '../passwords/refuse-guessable.ts';
import { waitAsSecondPerson } from '../second-people.ts';

/**
 * Sets a password with the token of a link, which is spent by it and with it all others of this person.
 * Having had the mail also confirms the address.
 *
 * A first password replaces none: the person is signed in, and nothing waits for the cooling-off. A later
 * one ends all sessions. Whoever has two-factor is signed in by neither: the mail is one factor.
 *
 * @throws {AppError} `link_invalid`; as `refuseGuessable` and `refusePresent`, with the token still good
 */
export async function resetPassword(
  identity: Identity,
  context: Call,
  input: { token: string; password: string },
): Promise<{ reply: RouteReply<'resetPassword'>; cookies: readonly string[] }> {
  const { origin, headers } = context;
  const owner = await findPasswordLinkOwner(identity, input.token);
  if (owner === null) throw new AppError('link_invalid');
  await refuseGuessable(identity.db, {
    field: 'password',
    password: input.password,
    owner: await readOwner(identity.db, owner.id),
  });
  const present = { field: 'password', password: input.password, userId: owner.id };
  await refusePresent(identity.db, present).catch(async (refusal: unknown) => {
    // The same link may just have been spent, with this very password.
    const isSpent = (await findPasswordLinkOwner(identity, input.token)) === null;
    throw isSpent ? new AppError('link_invalid') : refusal;
  });
  const passwordHash = await hashPassword(input.password);
  const { id: userId, hasPassword } = owner;
  const { email, twoFactorEnabled } = await withTx(identity.db, async (tx) => {
    const at = identity.services.clock.now();
    await lockUser(tx, userId);
    // Another request may have spent it meanwhile.
    const spent = await spendLinkToken(tx, { purpose: 'reset-password', token: input.token });
    if (spent === null) throw new AppError('link_invalid');
    await setPassword(tx, { userId, passwordHash, at });
    return settle(tx, { userId, origin, at, isFirst: !hasPassword });
  });
  await forgiveSignIns(identity, {
    email,
    network: addressKey(origin.ipAddress),
    browser: browserKeyOf(identity, headers),
  });
  if (hasPassword || twoFactorEnabled) return { reply: { session: null }, cookies: [] };
  const { reply, cookies } = await completeSignIn(identity, context, userId);
  return { reply: { session: reply }, cookies };
}

/** Writes what follows from a password that was set by a link. */
async function settle(
  tx: Tx,
  {
    userId,
    origin,
    at,
    isFirst,
  }: { userId: string; origin: RequestOrigin; at: Date; isFirst: boolean },
): Promise<{ email: string; twoFactorEnabled: boolean }> {
  await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
  await cancelEmailChanges(tx, userId, at);
  await forgetBrowsers(tx, userId);
  await endSessionsOf(tx, userId);
  const person = await tx
    .updateTable('appUser')
    .set({ emailVerified: true, ...(!isFirst && { passwordResetAt: at }) })
    .where('id', '=', userId)
    .returning(['id', 'role', 'email', 'twoFactorEnabled'])
    .executeTakeFirstOrThrow();
  const by = { actor: 'visitor', origin } as const;
  if (isFirst) {
    record(tx, by, 'password.chosen', { id: userId });
  } else {
    await waitAsSecondPerson(tx, { userId, since: at });
    record(tx, by, 'password.reset', { id: userId, at, words: { advice: adviceTo(person) } });
  }
  return person;
}
