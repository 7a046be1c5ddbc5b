import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { standingOf } from '#server/modules/identity/index.ts';
import { checkStatus, journal } from '#server/modules/journal/index.ts';
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
  const row = await tx
    .selectFrom('appUser')
    .select(['acceptedAt', 'deactivatedAt'])
    .where('id', '=', userId)
    .where('isEmployee', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  await checkStatus(tx, person, 'askForIdentity', { id: userId, status: standingOf(row) });
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
  journal(tx, by, person, 'askForIdentity', { id: userId, relatedId: null, at: now });
}
