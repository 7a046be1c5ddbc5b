import type { RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { passwordLink } from '#server/modules/notifications/index.ts';
import { createPasswordToken } from './create-password-token.ts';
import type { Identity } from './identity.ts';
import { standingOf } from './lock-person.ts';

/**
 * A link by which somebody whom an admin added chooses their first password: mailed where there is a
 * mail server, else shown to the admin, once. It is no part of adding the person, whose reply is
 * stored to be given again.
 *
 * @throws {AppError} `person_not_found`, `person_wrong_standing`, `password_chosen`,
 *   `too_many_requests`
 */
export async function createPasswordLink(
  identity: Identity,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminCreatePasswordLink'>> {
  const person = await requireWithoutPassword(identity, id);
  await identity.attempts.spend('resetOfAccount', person.email);
  if (identity.confirmsEmail) {
    await withTx(identity.db, async (tx) => {
      record(tx, by, id);
      enqueueMail(tx, { kind: 'choose-password', userId: id });
    });
    return { link: null };
  }
  const made = await createPasswordToken(identity, { id, email: person.email });
  if (made === null) throw new AppError('password_chosen');
  await withTx(identity.db, async (tx) => record(tx, by, id));
  return {
    link: {
      url: passwordLink(identity.url, made.token),
      expiresAt: made.expiresAt.toISOString(),
    },
  };
}

async function requireWithoutPassword({ db }: Identity, id: string): Promise<{ email: string }> {
  const person = await db
    .selectFrom('appUser')
    .leftJoin('authAccount', (join) =>
      join.onRef('authAccount.userId', '=', 'appUser.id').on('password', 'is not', null),
    )
    .select(['email', 'acceptedAt', 'deactivatedAt', 'authAccount.id as passwordOf'])
    .where('appUser.id', '=', id)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  const standing = standingOf(person);
  if (standing !== 'active') throw new AppError('person_wrong_standing', { standing });
  if (person.passwordOf !== null) throw new AppError('password_chosen');
  return person;
}

function record(tx: Tx, by: CommandContext, id: string): void {
  recordAudit(tx, {
    by,
    action: 'password.link_created',
    subjectType: 'user',
    subjectId: id,
    personId: id,
  });
}
