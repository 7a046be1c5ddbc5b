import type { RouteArguments } from '#contract/api.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';
import type { Call, Identity } from '../identity.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { readOwner, refuseGuessable, refusePresent } from '../passwords/refuse-guessable.ts';
import { setPassword } from '../passwords/set-password.ts';
import { forgetBrowsers } from '../sessions/known-places.ts';
import { browserKeyOf } from '../sessions/cookies.ts';
import { renewSession } from '../sessions/start-session.ts';

/**
 * Sets a new password for a person who knows the present one, which is checked. Whoever else is
 * signed in with the old one is signed out, links to choose another are spent, and the browser that
 * asked gets a new session.
 *
 * @throws AppError invalid_password, too_many_requests, and as `refuseGuessable` and `refusePresent`
 */
export async function changePassword(
  identity: Identity,
  context: Call & CommandContext,
  { currentPassword, newPassword }: RouteArguments<'changePassword'>['body'],
): Promise<{ reply: { ok: true }; cookies: readonly string[] }> {
  const { actor, headers } = context;
  const owner = await readOwner(identity.db, actor.id);
  await refuseGuessable(identity.db, { field: 'newPassword', password: newPassword, owner });
  await checkOwnPassword(identity, context, {
    password: currentPassword,
    refusedAs: 'password.change_refused',
  });
  await refusePresent(identity.db, {
    field: 'newPassword',
    password: newPassword,
    userId: actor.id,
  });
  const passwordHash = await hashPassword(newPassword);
  return withTx(identity.db, async (tx) => {
    const at = identity.services.clock.now();
    await lockUser(tx, actor.id);
    await setPassword(tx, { userId: actor.id, passwordHash, at });
    await tx.deleteFrom('authVerification').where('value', '=', actor.id).execute();
    await cancelEmailChanges(tx, actor.id, at);
    await forgetBrowsers(tx, actor.id, { kept: browserKeyOf(identity, headers) });
    const cookie = await renewSession(tx, identity, context, { endsOthers: true });
    record(tx, context, 'password.changed', { id: actor.id, at });
    return { reply: { ok: true }, cookies: [cookie] };
  });
}
