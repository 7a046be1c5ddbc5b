import type { DocumentLink } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import type { SentImage } from '#server/http/handlers.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAccess } from '#server/modules/access-log/index.ts';
import type { Services } from '#server/services.ts';
import { checkLink, signLink } from './document-link.ts';
import { loadDocument, openFileName } from './documents.ts';
import type { DocumentRow } from './documents.ts';
import { downloadName } from './file-name.ts';
import { imagePlace } from './stage-image.ts';

/** A link to the caller's document. @throws {AppError} `document_not_found` */
export async function linkOwnDocument(
  reader: Reader,
  services: Services,
  userId: string,
  { id }: { id: string },
): Promise<DocumentLink> {
  const row = await loadDocument(reader, id);
  if (row.userId !== userId || row.destroyedAt !== null) throw new AppError('document_not_found');
  return signLink(services, { documentId: id, viewerId: userId });
}

/**
 * A link to another person's document, for the review desk. Images of a draft are its owner's alone.
 *
 * @throws {AppError} `document_not_found`, `own_request`
 */
export async function linkDocumentForReview(
  reader: Reader,
  services: Services,
  by: CommandContext,
  { id }: { id: string },
): Promise<DocumentLink> {
  const row = await loadDocument(reader, id);
  if (row.destroyedAt !== null || (await isOfDraft(reader, row))) {
    throw new AppError('document_not_found');
  }
  checkNotOwn(by, row.userId);
  return signLink(services, { documentId: id, viewerId: by.actor.id });
}

async function isOfDraft(reader: Reader, { applicationId }: DocumentRow): Promise<boolean> {
  if (applicationId === null) return false;
  const { submittedAt } = await reader
    .selectFrom('kycApplication')
    .select('submittedAt')
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
  return submittedAt === null;
}

/**
 * The image a link points at, in clear. That an admin was sent it is recorded before it is, and its
 * owner can see it.
 *
 * @throws {AppError} `link_invalid`, also to who is an admin no more; `document_not_found` once it is
 *   destroyed
 */
export async function openDocument(
  db: Db,
  services: Services,
  by: CommandContext,
  { id, expires, signature }: { id: string; expires: number; signature: string },
): Promise<SentImage> {
  checkLink(services, { documentId: id, viewerId: by.actor.id, expires }, signature);
  const row = await loadDocument(db, id);
  const isOwner = row.userId === by.actor.id;
  if (!isOwner && by.actor.role !== 'admin') throw new AppError('link_invalid');
  if (row.fileId === null) throw new AppError('document_not_found');
  const sealed = await services.files.get(row.fileId);
  const image: SentImage = {
    bytes: await services.vault.open(db, row.userId, imagePlace(id), sealed),
    mediaType: 'image/jpeg',
    fileName: downloadName(await openFileName(db, services.vault, row)),
  };
  if (!isOwner) await withTx(db, (tx) => recordDocumentAccess(tx, by, row));
  return image;
}

function recordDocumentAccess(
  tx: Tx,
  by: CommandContext,
  { id, userId, type }: DocumentRow,
): Promise<void> {
  return recordAccess(tx, by, {
    action: 'kyc.document_opened',
    subjectType: 'kyc_document',
    subjectId: id,
    personId: userId,
    details: { type },
  });
}
