import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { afterChange, lockChangeable, lockCurrent, retireDocument } from './change-documents.ts';
import { asDocumentType, loadDocument } from './documents.ts';

/**
 * Removes the actor's own current document.
 *
 * @throws {AppError} `document_not_found`, `application_wrong_status`, `verification_complete`
 */
export async function removeDocument(
  tx: Tx,
  services: Services,
  by: By,
  { id }: { id: string },
): Promise<void> {
  const userId = by.actor.id;
  const known = await loadDocument(tx, id);
  if (known.userId !== userId) throw new AppError('document_not_found');
  const type = asDocumentType(known.type);
  const applicationId = await lockChangeable(tx, userId, type);
  const current = await lockCurrent(tx, { userId, applicationId }, type);
  if (current?.id !== id) throw new AppError('document_not_found');
  await retireDocument(tx, services, current);
  await recordAudit(tx, {
    by,
    action: 'kyc.document_removed',
    subjectType: 'kyc_document',
    subjectId: id,
    personId: userId,
    details: { type },
  });
  await afterChange(tx, services, by, type);
}
