import { dayIn } from '#contract/calendar.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { openAnswers } from './answers.ts';
import { applicationDocuments } from '../documents/documents.ts';
import { enterAction, NO_WORDS } from './history.ts';
import { checkSeen, lockOwnApplication } from '../lock-application.ts';
import type { SeenApplication } from '../lock-application.ts';
import { presentApplication } from './present.ts';
import { submissionErrors } from './submission-errors.ts';

/**
 * Submits the actor's own application as they reviewed it (`seen`); from then on it cannot be
 * edited unless an admin asks for it.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`, `application_stale`,
 *   `application_incomplete` with every answer and image that is missing or does not fit
 */
export async function submitApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  seen: SeenApplication,
): Promise<KycApplication> {
  const userId = by.actor.id;
  const row = await lockOwnApplication(tx, userId, 'submit');
  checkSeen(row, seen);
  const { timeZone, kycMinAgeYears } = await readSettings(tx);
  const now = services.clock.now();
  const answers = await openAnswers(tx, services.vault, row);
  const documents = await applicationDocuments(tx, row.id);
  const errors = submissionErrors(
    { answers, answered: row.answered, documents },
    { today: dayIn(timeZone, now), minAgeYears: kycMinAgeYears },
  );
  if (errors.length > 0) throw new AppError('application_incomplete', {}, errors);

  const submitted = await tx
    .updateTable('kycApplication')
    .set({
      status: 'submitted',
      submittedAt: now,
      version: row.version + 1,
      updatedAt: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterAction(tx, services, by, submitted, { action: 'submitted', written: NO_WORDS });
  recordAudit(tx, {
    by,
    action: 'kyc.application_submitted',
    subjectType: 'kyc_application',
    subjectId: row.id,
    personId: userId,
  });
  notify(tx, userId, {
    type: 'verification',
    title: 'Application Submitted',
    message: 'Your KYC application has been submitted for review',
    relatedId: row.id,
    at: now,
  });
  notifyAdmins(tx, {
    type: 'verification',
    title: 'KYC application to review',
    message: `${by.actor.name} has submitted a KYC application.`,
    relatedId: row.id,
    at: now,
  });
  publish(tx, { topic: 'kyc', userId }, { topic: 'kyc', userId: null });
  return presentApplication(tx, services.vault, submitted);
}
