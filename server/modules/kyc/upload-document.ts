import type { KycDocument } from '#contract/api.ts';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { By } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { attachDocument } from './attach-document.ts';
import { checkChangeable } from './change-documents.ts';
import { prepareImage } from './prepare-image.ts';
import { stageImage } from './stage-image.ts';
import type { UploadQueue } from './upload-queue.ts';

/**
 * Takes an image from the actor's device. What is slow (the network, decoding, the file store) lies
 * before and between two short transactions, never inside one; an upload that breaks off leaves at
 * most a file that the sweep destroys.
 *
 * @throws {AppError} `too_many_requests`, `unavailable`, and as `prepareImage` and `attachDocument`
 */
export async function uploadDocument(
  db: Db,
  services: Services & { queue: UploadQueue },
  by: By,
  { type, fileName, body }: { type: KycDocumentType; fileName: string; body: UploadBody },
): Promise<KycDocument> {
  const userId = by.actor.id;
  return services.queue.take(userId, async () => {
    await checkChangeable(db, userId, type);
    const bytes = await body.read(MAX_IMAGE_BYTES);
    const image = await services.queue.decode(() => prepareImage(bytes));
    const staged = await withTx(db, (tx) => stageImage(tx, services, { userId, fileName, image }));
    await services.files.put(staged.id, staged.sealed);
    return withTx(db, (tx) => attachDocument(tx, services, by, { type, staged }));
  });
}
