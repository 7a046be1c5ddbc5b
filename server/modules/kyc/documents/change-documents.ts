import { isWaiting } from '#contract/kyc.ts';
import type { KycDecision, KycDocumentType } from '#contract/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { isApplicationDocument } from './documents.ts';
import type { DocumentRow } from './documents.ts';
import { latestApplication } from '../latest-application.ts';
import { lockOwnApplication, lockPerson } from '../lock-application.ts';
import { findProfile, recomputeProfile } from './profile.ts';
import type { ProfileRow } from './profile.ts';
import { destroyImages } from './stage-image.ts';

/**
 * Check that the person may change that document now, without a lock: so that a refusal does not wait
 * for five megabytes.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`, `verification_complete`
 */
export async function checkChangeable(
  reader: Reader,
  userId: string,
  type: KycDocumentType,
): Promise<void> {
  if (!isApplicationDocument(type)) return checkUnverified(reader, userId);
  const row = await latestApplication(reader, userId).selectAll().executeTakeFirst();
  if (row === undefined) throw new AppError('application_not_found');
  await checkStatus(reader, application, 'edit', row);
}

/**
 * Locks the person and what the document belongs to.
 *
 * @returns the application of the front or the back; null for a wallet document
 * @throws {AppError} as `checkChangeable`
 */
export async function lockChangeable(
  tx: Tx,
  userId: string,
  type: KycDocumentType,
): Promise<string | null> {
  if (isApplicationDocument(type)) return (await lockOwnApplication(tx, userId, 'edit')).id;
  await lockPerson(tx, userId);
  await checkUnverified(tx, userId);
  return null;
}

async function checkUnverified(reader: Reader, userId: string): Promise<void> {
  const profile = await findProfile(reader, userId);
  if (profile?.status === 'verified') throw new AppError('verification_complete');
}

/**
 * Takes a document out of use. Its image is destroyed, unless a decision rested on it: on itself, or
 * on the application after it was uploaded. Then it is kept until its retention ends.
 */
export async function retireDocument(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  row: DocumentRow,
): Promise<void> {
  const now = clock.now();
  await tx.updateTable('kycDocument').set({ replacedAt: now }).where('id', '=', row.id).execute();
  if (row.reviewedAt !== null || (await wasDecidedOn(tx, row))) return;
  await destroyImages(tx, 'kycDocument', [row], now);
}

/** Decisions that rest on the images: neither submission nor the begin of a review does. */
const RESTING: readonly KycDecision[] = ['approved', 'rejected', 'resubmission_requested'];

async function wasDecidedOn(tx: Tx, row: DocumentRow): Promise<boolean> {
  if (row.applicationId === null) return false;
  const decision = await tx
    .selectFrom('kycAction')
    .select('id')
    .where('applicationId', '=', row.applicationId)
    .where('action', 'in', RESTING)
    .where('createdAt', '>=', row.uploadedAt)
    .limit(1)
    .executeTakeFirst();
  return decision !== undefined;
}

/** Steps after a change by the owner: the profile, and notifying the administrators for whom it waits. */
export async function afterChange(
  tx: Tx,
  services: Services,
  by: CommandContext,
  type: KycDocumentType,
): Promise<void> {
  if (isApplicationDocument(type)) return;
  const { before, after } = await recomputeProfile(tx, services, by.actor.id);
  if (!isInQueue(before) && isInQueue(after)) {
    notifyAdmins(tx, {
      kind: 'documents-to-review',
      message: `${by.actor.name} has uploaded documents for verification.`,
      relatedId: after.id,
      at: services.clock.now(),
    });
  }
  if (isInQueue(before) || isInQueue(after)) publish(tx, { topic: 'kyc', userId: null });
}

function isInQueue(profile: ProfileRow | undefined): boolean {
  return isWaiting(profile?.reviewStatus ?? null);
}

/** The current document of that type, locked. */
export function lockCurrent(
  tx: Tx,
  owner: { userId: string; applicationId: string | null },
  type: KycDocumentType,
): Promise<DocumentRow | undefined> {
  const { userId, applicationId } = owner;
  return tx
    .selectFrom('kycDocument')
    .selectAll()
    .where('userId', '=', userId)
    .where('applicationId', applicationId === null ? 'is' : '=', applicationId)
    .where('type', '=', type)
    .where('replacedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
