import type { ApplicationReview, KycDocument, VerificationReview } from '#contract/api.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { compareNames } from '#server/lib/compare-names.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAccess } from '#server/modules/access-log/index.ts';
import type { Services } from '#server/services.ts';
import { findClaim } from './claims.ts';
import { applicationDocuments, presentDocuments, walletDocuments } from '../documents/documents.ts';
import { duplicateAnswers, duplicateImages } from './duplicates.ts';
import { openApplication } from '../application/load-application.ts';
import { listNotes } from './notes.ts';
import { presentVerification } from '../documents/profile.ts';

/**
 * Opens an application on the review desk, with all that is shown with it.
 *
 * @throws {AppError} `application_not_found`, `own_request`
 */
export async function reviewApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  applicationId: string,
): Promise<ApplicationReview> {
  const application = await openApplication(tx, services, by, { applicationId });
  return presentApplicationReview(tx, services, by, application);
}

/** An application as the desk shows it; opening it was recorded, or a decision on it. */
export async function presentApplicationReview(
  reader: Reader,
  services: Services,
  by: CommandContext,
  application: KycApplication,
): Promise<ApplicationReview> {
  const { id, userId, status } = application;
  const row = await reader
    .selectFrom('kycApplication')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const documents = await applicationDocuments(reader, id);
  const employee = await presentEmployee(reader, userId);
  const { fullName } = application.answers;
  return {
    id,
    status: status === 'in_progress' ? null : status,
    employee,
    claim: await findClaim(reader, services, { itemId: id, viewerId: by.actor.id }),
    notes: await listNotes(reader, services, { id, kind: 'application', userId }),
    duplicates: [
      ...(await duplicateAnswers(reader, row)),
      ...(await duplicateImages(reader, documents)),
    ],
    application,
    nameMatch: fullName === undefined ? null : compareNames(employee.name, fullName),
    replaced: await presentReplaced(reader, services, { userId, applicationId: id }),
  };
}

/**
 * Opens a person's wallet documents on the review desk.
 *
 * @throws {AppError} `not_found`, `own_request`
 */
export async function reviewVerification(
  tx: Tx,
  services: Services,
  by: CommandContext,
  profileId: string,
): Promise<VerificationReview> {
  const profile = await tx
    .selectFrom('kycProfile')
    .select(['id', 'userId', 'reviewStatus'])
    .where('id', '=', profileId)
    .executeTakeFirst();
  if (profile === undefined) throw new AppError('not_found');
  const { id, userId, reviewStatus } = profile;
  checkNotOwn(by, userId);
  await recordAccess(tx, by, {
    action: 'kyc.verification_opened',
    subjectType: 'kyc_profile',
    subjectId: id,
    personId: userId,
  });
  return {
    id,
    status: reviewStatus,
    employee: await presentEmployee(tx, userId),
    claim: await findClaim(tx, services, { itemId: id, viewerId: by.actor.id }),
    notes: await listNotes(tx, services, { id, kind: 'documents', userId }),
    duplicates: await duplicateImages(tx, await walletDocuments(tx, userId)),
    verification: await presentVerification(tx, services.vault, userId),
    replaced: await presentReplaced(tx, services, { userId, applicationId: null }),
  };
}

async function presentReplaced(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  { userId, applicationId }: { userId: string; applicationId: string | null },
): Promise<KycDocument[]> {
  const rows = await reader
    .selectFrom('kycDocument')
    .selectAll()
    .where('userId', '=', userId)
    .where('applicationId', applicationId === null ? 'is' : '=', applicationId)
    .where('replacedAt', 'is not', null)
    .where('destroyedAt', 'is', null)
    .orderBy('replacedAt', 'desc')
    .execute();
  return presentDocuments(reader, vault, rows);
}

async function presentEmployee(
  reader: Reader,
  userId: string,
): Promise<ApplicationReview['employee']> {
  return reader
    .selectFrom('appUser')
    .select(['id', 'name', 'email', 'employeeNumber as employeeId'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}
