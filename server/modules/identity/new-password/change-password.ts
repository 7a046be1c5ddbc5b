import type { RouteArguments } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { refusalOf } from '../auth-refusal.ts';
import { publishEnded } from '../sessions/end-sessions.ts';
import type { Call, Identity } from '../identity.ts';
import { browserKeyOf, forgetBrowsers } from '../sessions/known-places.ts';
import { ownHeaders } from '../sessions/own-headers.ts';
import { countWrongPassword } from '../passwords/password-attempts.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';
import { readOwner, refuseGuessable } from '../passwords/refuse-guessable.ts';

/**
 * Sets a new password for a person who knows the present one, which is checked. Whoever else is
 * signed in with the old one is signed out, links to choose another are spent, and the browser that
 * asked gets a new session.
 *
 * @throws AppError invalid_password, too_many_requests, and as `refuseGuessable`
 */
export async function changePassword(
  identity: Identity,
  context: Call & CommandContext,
  { currentPassword, newPassword }: RouteArguments<'changePassword'>['body'],
): Promise<{ reply: { ok: true }; cookies: readonly string[] }> {
  const { actor } = context;
  await identity.attempts.spend('changeOfPassword', actor.id);
  const owner = await readOwner(identity.db, actor.id);
  await refuseGuessable(identity.db, { field: 'newPassword', password: newPassword, owner });
  const changed = await identity.auth.api
    .changePassword({
      body: { currentPassword, newPassword, revokeOtherSessions: true },
      headers: await ownHeaders(identity, context),
      returnHeaders: true,
    })
    .catch((error: unknown) => refuse(identity, context, error));
  await identity.attempts.forgive('changeOfPassword', actor.id);
  const browser = await browserKeyOf(identity.auth, context.headers);
  await withTx(identity.db, async (tx) => {
    const at = identity.services.clock.now();
    await tx.deleteFrom('authVerification').where('value', '=', actor.id).execute();
    await cancelEmailChanges(tx, actor.id, at);
    await forgetBrowsers(tx, actor.id, { kept: browser });
    await tx
      .updateTable('authSession')
      .set({ confirmedAt: at })
      .where('token', '=', changed.response.token)
      .execute();
    publishEnded(tx, actor.id);
    record(tx, context, 'password.changed', { id: actor.id, at });
  });
  return { reply: { ok: true }, cookies: changed.headers.getSetCookie() };
}

async function refuse(
  identity: Identity,
  by: Call & CommandContext,
  error: unknown,
): Promise<never> {
  if (refusalOf(error) !== 'INVALID_PASSWORD') throw error;
  await countWrongPassword(identity, by.origin);
  await withTx(identity.db, (tx) => record(tx, by, 'password.change_refused', { id: by.actor.id }));
  throw new AppError('invalid_password');
}
