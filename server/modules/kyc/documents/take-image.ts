import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { prepareImage } from './prepare-image.ts';
import { stageImage } from './stage-image.ts';
import type { ImageTable, StagedImage } from './stage-image.ts';
import type { UploadQueue } from './upload-queue.ts';

/** An image on its way from a person's device, and what becomes of it. */
export interface ImageUpload<Reply> {
  userId: string;
  table: ImageTable;
  fileName: string;
  body: UploadBody;
  /** Refuses before the bytes are read, so that a refusal does not wait for five megabytes. */
  check: () => Promise<void>;
  /** Writes the row of the image, whose file is there. */
  attach: (tx: Tx, staged: StagedImage) => Promise<Reply>;
}

/**
 * Takes an image. What is slow (the network, decoding, the file store) lies before and between two
 * short transactions, never inside one; an upload that breaks off leaves at most a file that the
 * sweep destroys.
 *
 * @throws {AppError} `too_many_requests`, `unavailable`, and as `prepareImage`, `check` and `attach`
 */
export async function takeImage<Reply>(
  db: Db,
  services: Services & { queue: UploadQueue },
  { userId, table, fileName, body, check, attach }: ImageUpload<Reply>,
): Promise<Reply> {
  const { queue, files } = services;
  return queue.take(userId, async () => {
    await check();
    const bytes = await body.read(MAX_IMAGE_BYTES);
    const image = await queue.decode(() => prepareImage(bytes));
    const staged = await withTx(db, (tx) =>
      stageImage(tx, services, { userId, table, fileName, image }),
    );
    await files.put(staged.id, staged.sealed);
    return withTx(db, (tx) => attach(tx, staged));
  });
}
