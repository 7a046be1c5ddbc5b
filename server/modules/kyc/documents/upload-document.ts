import type { KycDocument } from '#contract/api.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { Db } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { attachDocument } from './attach-document.ts';
import { checkChangeable } from './change-documents.ts';
import { checkIssueDate } from './issue-date.ts';
import { takeImage } from './take-image.ts';
import type { UploadQueue } from './upload-queue.ts';

interface Upload {
  type: KycDocumentType;
  /** As its owner read it on the document. */
  issuedOn?: string | undefined;
  fileName: string;
  body: UploadBody;
}

/**
 * Takes an image of a document from the actor's device.
 *
 * @throws {AppError} as `checkIssueDate`, `takeImage`, `checkChangeable` and `attachDocument`
 */
export function uploadDocument(
  db: Db,
  services: Services & { queue: UploadQueue },
  by: CommandContext,
  { type, issuedOn, fileName, body }: Upload,
): Promise<KycDocument> {
  const userId = by.actor.id;
  return takeImage(db, services, {
    userId,
    table: 'kyc_document',
    fileName,
    body,
    check: async () => {
      await checkIssueDate(db, services, { type, issuedOn });
      await checkChangeable(db, userId, type);
    },
    attach: (tx, staged) => attachDocument(tx, services, by, { type, issuedOn, staged }),
  });
}
