import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { standingOf } from '#server/modules/identity/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { latestApplication } from '../latest-application.ts';

/**
 * Asks a person who was accepted to verify their identity, in their inbox and by mail.
 *
 * @throws {AppError} `person_not_found`, `person_wrong_standing`; `identity_not_awaited` where it is
 *   reviewed or approved; `identity_asked_already` within a day of the last time
 */
export async function askForIdentity(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  userId: string,
): Promise<void> {
  const now = clock.now();
  // If two admins ask at the same time, the second finds the request of the first.
  const person = await tx
    .selectFrom('appUser')
    .select(['acceptedAt', 'deactivatedAt'])
    .where('id', '=', userId)
    .where('isEmployee', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  const standing = standingOf(person);
  if (standing !== 'active') throw new AppError('person_wrong_standing', { standing });
  const application = await latestApplication(tx, userId).select('status').executeTakeFirst();
  if (application !== undefined && !can(kycCan, 'ask', application.status)) {
    throw new AppError('identity_not_awaited', {
      status: application.status.replace('_', ' '),
    });
  }
  const asked = await tx
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', 'identity-asked')
    .where('createdAt', '>', new Date(now.getTime() - LIMITS.notifications.askAgainMs))
    .limit(1)
    .executeTakeFirst();
  if (asked !== undefined) throw new AppError('identity_asked_already');
  recordAudit(tx, {
    by,
    action: 'person.asked_for_identity',
    subjectType: 'user',
    subjectId: userId,
    personId: userId,
  });
  notify(tx, userId, {
    kind: 'identity-asked',
    message: 'Your administrator asks you to verify your identity.',
    relatedId: null,
    at: now,
  });
}
