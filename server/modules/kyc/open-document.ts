import type { DocumentLink } from '#contract/api.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { SentImage } from '#server/http/handlers.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { checkLink, signLink } from './document-link.ts';
import { loadDocument, openFileName } from './documents.ts';
import { imagePlace } from './stage-image.ts';

/** A link to one's own document. @throws {AppError} `document_not_found` */
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
 * A link to anybody's document, for the review desk: an audited act that its owner can see.
 *
 * @throws {AppError} `document_not_found`
 */
export async function linkDocumentForReview(
  tx: Tx,
  services: Services,
  by: By,
  { id }: { id: string },
): Promise<DocumentLink> {
  const row = await loadDocument(tx, id);
  if (row.destroyedAt !== null) throw new AppError('document_not_found');
  await recordAudit(tx, {
    by,
    action: 'kyc.document_opened',
    subjectType: 'kyc_document',
    subjectId: id,
    personId: row.userId,
    details: { type: row.type },
  });
  return signLink(services, { documentId: id, viewerId: by.actor.id });
}

/**
 * The image a link points at, in clear.
 *
 * @throws {AppError} `link_invalid`, `document_not_found` once it is destroyed
 */
export async function openDocument(
  reader: Reader,
  services: Services,
  by: By,
  { id, expires, signature }: { id: string; expires: number; signature: string },
): Promise<SentImage> {
  checkLink(services, { documentId: id, viewerId: by.actor.id, expires }, signature);
  const row = await loadDocument(reader, id);
  if (row.fileId === null) throw new AppError('document_not_found');
  const sealed = await services.files.get(row.fileId);
  return {
    bytes: await services.vault.open(reader, row.userId, imagePlace(id), sealed),
    mediaType: 'image/jpeg',
    fileName: (await openFileName(reader, services.vault, row)) ?? 'document.jpg',
  };
}
