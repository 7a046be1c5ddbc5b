import type { KycApplication as MyApplication } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES, requiredFields, statusPageCompletion } from '#contract/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAccess } from '#server/modules/access-log/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { walletDocuments } from '../documents/documents.ts';
import { latestApplication } from '../latest-application.ts';
import { presentApplication } from './present.ts';

/**
 * The person's own latest application.
 *
 * @throws {AppError} `application_not_found`
 */
export async function loadOwnApplication(
  reader: Reader,
  services: Pick<Services, 'vault'>,
  userId: string,
): Promise<KycApplication> {
  const row = await latestApplication(reader, userId).selectAll().executeTakeFirst();
  if (row === undefined) throw new AppError('application_not_found');
  return presentApplication(reader, services.vault, row);
}

/**
 * Another person's application, for the review desk. An admin reads what rests encrypted, so opening
 * it is an audited act that the person concerned can see. A draft is its owner's alone.
 *
 * @throws {AppError} `application_not_found`, also for one that was never submitted, or is destroyed;
 *   `own_request`
 */
export async function openApplication(
  tx: Tx,
  services: Pick<Services, 'vault'>,
  by: CommandContext,
  input: { applicationId: string },
): Promise<KycApplication> {
  const row = await tx
    .selectFrom('kycApplication')
    .selectAll()
    .where('id', '=', input.applicationId)
    .executeTakeFirst();
  const isThere = row !== undefined && row.submittedAt !== null && row.destroyedAt === null;
  if (!isThere) throw new AppError('application_not_found');
  checkNotOwn(by, row.userId);
  await recordAccess(tx, by, {
    action: 'kyc.application_opened',
    subjectType: 'kyc_application',
    subjectId: row.id,
    personId: row.userId,
  });
  return presentApplication(tx, services.vault, row);
}

/** An application with what its owner's screens show besides: how far it is, and the legal age. */
export async function withCompletion(
  reader: Reader,
  application: KycApplication,
): Promise<MyApplication> {
  const { answers, answered, documents, userId } = application;
  const required = requiredFields(answers.country);
  const { kycMinAgeYears } = await readSettings(reader);
  const walletCount = (await walletDocuments(reader, userId)).length;
  return {
    ...application,
    completion: {
      requiredAnswered: required.filter((name) => answered.includes(name)).length,
      requiredTotal: required.length,
      documentsUploaded: documents.length,
      documentsRequired: APPLICATION_DOCUMENT_TYPES.length,
      statusPage: statusPageCompletion(answered, answers.country, walletCount),
    },
    minAgeYears: kycMinAgeYears,
  };
}
