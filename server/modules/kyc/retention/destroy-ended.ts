import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { WAITING_REVIEW_STATUSES } from '#contract/kyc.ts';
import type { DB } from '#server/db/schema.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { destroyImages } from '../documents/stage-image.ts';
import type { DocumentRow } from '../documents/documents.ts';
import { destroyWords } from '../application/history.ts';
import { lockPerson } from '../lock-application.ts';
import { recomputeProfile } from '../documents/profile.ts';

/**
 * People whose material has ended: it was rejected or replaced, or its owner's account was closed, longer
 * ago than it has to be kept.
 */
export async function peopleWithEnded(db: Db, endedBefore: Date): Promise<string[]> {
  const applications = db
    .selectFrom('kycApplication')
    .innerJoin('appUser', 'appUser.id', 'kycApplication.userId')
    .select('userId')
    .where('answersEncrypted', 'is not', null)
    .where((eb) =>
      eb.or([hasApplicationEnded(eb, endedBefore), eb('appUser.deactivatedAt', '<', endedBefore)]),
    );
  const documents = db
    .selectFrom('kycDocument')
    .innerJoin('appUser', 'appUser.id', 'kycDocument.userId')
    .select('userId')
    .where('destroyedAt', 'is', null)
    .where((eb) =>
      eb.or([hasDocumentEnded(eb, endedBefore), eb('appUser.deactivatedAt', '<', endedBefore)]),
    );
  const rows = await applications.union(documents).execute();
  return rows.map(({ userId }) => userId);
}

function hasApplicationEnded(
  eb: ExpressionBuilder<DB, 'kycApplication'>,
  endedBefore: Date,
): Expression<SqlBool> {
  return eb.and([
    eb('kycApplication.status', '=', 'rejected'),
    eb('kycApplication.decidedAt', '<', endedBefore),
  ]);
}

/**
 * Replaced, or rejected and never replaced. One of an application that waits for an admin stays: the
 * decision may still rest on it.
 */
function hasDocumentEnded(
  eb: ExpressionBuilder<DB, 'kycDocument'>,
  endedBefore: Date,
): Expression<SqlBool> {
  const waiting = eb
    .selectFrom('kycApplication as application')
    .select('application.id')
    .whereRef('application.id', '=', 'kycDocument.applicationId')
    .where('application.status', 'in', WAITING_REVIEW_STATUSES);
  return eb.or([
    eb('kycDocument.replacedAt', '<', endedBefore),
    eb.and([
      eb('kycDocument.status', '=', 'rejected'),
      eb('kycDocument.reviewedAt', '<', endedBefore),
      eb.not(eb.exists(waiting)),
    ]),
  ]);
}

/** Destroys what has ended of one person's, and leaves the record that it did. */
export async function destroyEnded(
  tx: Tx,
  services: Services,
  { userId, endedBefore }: { userId: string; endedBefore: Date },
): Promise<void> {
  const now = services.clock.now();
  const { deactivatedAt } = await lockPerson(tx, userId);
  const ended = {
    userId,
    endedBefore,
    isClosed: deactivatedAt !== null && deactivatedAt < endedBefore,
  };
  const applicationIds = await destroyAnswers(tx, ended, now);
  const documents = await takeEndedDocuments(tx, ended, applicationIds, now);
  await destroyImages(tx, 'kycDocument', documents, now);
  await destroyWords(tx, applicationIds);
  await deleteNotes(tx, 'applicationId', applicationIds);
  if (documents.some(({ applicationId }) => applicationId === null)) {
    const { after } = await recomputeProfile(tx, services, userId);
    if (after.status === 'not_started') await deleteNotes(tx, 'profileId', [after.id]);
  }
  record(tx, { actor: 'system' }, 'kyc.material_destroyed', {
    id: userId,
    personId: userId,
    details: { applications: applicationIds.length, documents: documents.length },
  });
}

interface Ended {
  userId: string;
  endedBefore: Date;
  /** All of a closed account's material has ended. */
  isClosed: boolean;
}

/** @returns the applications whose answers were destroyed */
async function destroyAnswers(
  tx: Tx,
  { userId, endedBefore, isClosed }: Ended,
  now: Date,
): Promise<string[]> {
  const destroyed = await tx
    .updateTable('kycApplication')
    .set((eb) => ({
      answersEncrypted: null,
      idNumberHash: null,
      phoneHash: null,
      addressHash: null,
      hashKeyId: null,
      securityAnswerHash: null,
      securityAnswerKeyId: null,
      answered: [],
      version: eb('version', '+', 1),
      destroyedAt: now,
    }))
    .where('userId', '=', userId)
    .where('answersEncrypted', 'is not', null)
    .where((eb) => (isClosed ? eb.lit(true) : hasApplicationEnded(eb, endedBefore)))
    .returning('id')
    .execute();
  return destroyed.map(({ id }) => id);
}

/** @returns the documents that have ended, locked and no longer current */
async function takeEndedDocuments(
  tx: Tx,
  { userId, endedBefore, isClosed }: Ended,
  applicationIds: readonly string[],
  now: Date,
): Promise<DocumentRow[]> {
  const documents = await tx
    .selectFrom('kycDocument')
    .selectAll()
    .where('userId', '=', userId)
    .where('destroyedAt', 'is', null)
    .where((eb) =>
      isClosed
        ? eb.lit(true)
        : eb.or([
            hasDocumentEnded(eb, endedBefore),
            ...applicationIds.map((id) => eb('applicationId', '=', id)),
          ]),
    )
    .forNoKeyUpdate()
    .execute();
  const current = documents.filter(({ replacedAt }) => replacedAt === null).map(({ id }) => id);
  if (current.length > 0) {
    await tx
      .updateTable('kycDocument')
      .set({ replacedAt: now })
      .where('id', 'in', current)
      .execute();
  }
  return documents;
}

async function deleteNotes(
  tx: Tx,
  column: 'applicationId' | 'profileId',
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('kycNote').where(column, 'in', ids).execute();
}
