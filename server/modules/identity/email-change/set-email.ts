import type { RouteArguments } from '#contract/api.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { forgetSuppression } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { lockPerson } from '../lock-person.ts';
import { cancelEmailChanges } from './request-email-change.ts';
import { waitAsSecondPerson } from '../second-people.ts';

/**
 * Sets the address that another person signs in with, for somebody who no longer reads the former one. It
 * takes effect immediately, with all that follows from a person's own change (`confirmEmailChange`): sessions
 * end, links are spent, payouts cool off, and the former address gets a link that takes it back. Where duties
 * are separated, the admin who set it approves none of the person's payouts.
 *
 * @throws {AppError} as `lockPerson`; `conflict` when the address is not `seen` any more; `email_taken`;
 *   `invalid_request` for the present address
 */
export async function setEmailOf(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, email, reason, seen }: { id: string } & RouteArguments<'adminChangeEmail'>['body'],
): Promise<void> {
  const { name } = await lockPerson(tx, by, { id, act: 'setEmail' });
  const { email: formerEmail } = await tx
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (formerEmail !== seen) throw new AppError('conflict');
  if (formerEmail === email) {
    throw new AppError('invalid_request', {}, [
      { path: 'email', message: 'They already sign in with this address' },
    ]);
  }
  const at = clock.now();
  await cancelEmailChanges(tx, id, at);
  await tx
    .updateTable('appUser')
    .set({
      email,
      emailVerified: true,
      emailSetBy: by.actor.id,
      passwordResetAt: at,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'app_user_email_key') ? new AppError('email_taken') : error;
    });
  const emailChangeId = newId(at.getTime());
  await tx
    .insertInto('emailChange')
    .values({
      id: emailChangeId,
      userId: id,
      formerEmail,
      email,
      requestedAt: at,
      expiresAt: at,
      confirmedAt: at,
    })
    .execute();
  await waitAsSecondPerson(tx, { userId: id, since: at, causes: [by.actor.id] });
  await forgetSuppression(tx, email);
  await tx.deleteFrom('authVerification').where('value', '=', id).execute();
  await endSessionsOf(tx, id);
  journal(tx, by, person, 'setEmail', {
    id,
    at,
    details: { fields: ['email'], before: [formerEmail], after: [email], reason },
    words: { name, email, reason },
  });
  enqueueMail(tx, { kind: 'email-changed', userId: id, payload: { emailChangeId } });
}
