import type { KycDocument } from '#contract/api.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { Db } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { attachDocument } from './attach-document.ts';
import { checkChangeable } from './change-documents.ts';
import { takeImage } from './take-image.ts';
import type { UploadQueue } from './upload-queue.ts';

/**
 * Takes an image of a document from the actor's device.
 *
 * @throws {AppError} as `takeImage`, `checkChangeable` and `attachDocument`
 */
export function uploadDocument(
  db: Db,
  services: Services & { queue: UploadQueue },
  by: CommandContext,
  { type, fileName, body }: { type: KycDocumentType; fileName: string; body: UploadBody },
): Promise<KycDocument> {
  const userId = by.actor.id;
  return takeImage(db, services, {
    userId,
    table: 'kyc_document',
    fileName,
    body,
    check: () => checkChangeable(db, userId, type),
    attach: (tx, staged) => attachDocument(tx, services, by, { type, staged }),
  });
}
