import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { SentImage } from '#server/http/handlers.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAccess } from '#server/modules/access-log/index.ts';
import { downloadName, imagePlace } from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';
import { openImageName } from './images.ts';
import type { ImageRow } from './images.ts';

/** A photograph of the caller's check, in clear. @throws {AppError} `document_not_found` */
export async function openOwnCheckImage(
  db: Db,
  services: Services,
  by: CommandContext,
  { id }: { id: string },
): Promise<SentImage> {
  const row = await loadImage(db, id);
  if (row.userId !== by.actor.id) throw new AppError('document_not_found');
  return openImage(db, services, row);
}

/**
 * A photograph of another person's check, for the admin who decides. That they were sent it is
 * recorded before it is, and its owner can see that.
 *
 * @throws {AppError} `document_not_found`, `own_request`
 */
export async function openCheckImageForReview(
  db: Db,
  services: Services,
  by: CommandContext,
  { id }: { id: string },
): Promise<SentImage> {
  const row = await loadImage(db, id);
  checkNotOwn(by, row.userId);
  const image = await openImage(db, services, row);
  await withTx(db, (tx) =>
    recordAccess(tx, by, {
      action: 'deposit.image_opened',
      subjectType: 'deposit_image',
      subjectId: row.id,
      personId: row.userId,
      details: { side: row.side, depositId: row.depositId },
    }),
  );
  return image;
}

async function loadImage(db: Db, id: string): Promise<ImageRow> {
  const row = await db
    .selectFrom('depositImage')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('document_not_found');
  return row;
}

async function openImage(db: Db, { files, vault }: Services, row: ImageRow): Promise<SentImage> {
  if (row.fileId === null) throw new AppError('document_not_found');
  const sealed = await files.get(row.fileId);
  return {
    bytes: await vault.open(db, row.userId, imagePlace(row.id, 'deposit_image'), sealed),
    mediaType: 'image/jpeg',
    fileName: downloadName(await openImageName(db, vault, row)),
  };
}
