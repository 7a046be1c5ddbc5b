import type { RouteReply } from '#contract/api.ts';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { SentImage, UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { avatarUrl } from '#server/lib/avatar-url.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { UploadQueue } from '#server/modules/kyc/index.ts';
import type { Place } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { cropAvatar } from './crop-avatar.ts';

function placeOf(rowId: string): Place {
  return { table: 'avatar', column: 'image_encrypted', rowId };
}

/**
 * Takes an image from the actor's device as their picture.
 *
 * @throws {AppError} `too_many_requests`, `unavailable`, and as `cropAvatar`
 */
export function uploadAvatar(
  db: Db,
  services: Services & { queue: UploadQueue },
  by: CommandContext,
  body: UploadBody,
): Promise<RouteReply<'uploadMyAvatar'>> {
  const { queue } = services;
  return queue.take(by.actor.id, async () => {
    const bytes = await body.read(MAX_IMAGE_BYTES);
    const image = await queue.decode(() => cropAvatar(bytes));
    return withTx(db, (tx) => setAvatar(tx, services, by, image));
  });
}

async function setAvatar(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  by: CommandContext,
  image: Buffer,
): Promise<RouteReply<'uploadMyAvatar'>> {
  const userId = by.actor.id;
  const now = clock.now();
  await lockUser(tx, userId);
  await deleteAvatar(tx, userId);
  const id = newId(now.getTime());
  await tx
    .insertInto('avatar')
    .values({
      id,
      userId,
      imageEncrypted: await vault.seal(tx, userId, placeOf(id), image),
      setAt: now,
    })
    .execute();
  record(tx, by, 'person.picture_set', { id: userId });
  return { avatarUrl: avatarUrl(id) };
}

/** Deletes the actor's picture; does nothing where there is none. */
export async function removeAvatar(tx: Tx, by: CommandContext): Promise<void> {
  await lockUser(tx, by.actor.id);
  if (await deleteAvatar(tx, by.actor.id))
    record(tx, by, 'person.picture_removed', { id: by.actor.id });
}

/** @returns true if there was one */
export async function deleteAvatar(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('avatar')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * A picture in clear, for the person it shows and for admins.
 *
 * @throws {AppError} `document_not_found`, also where it is another person's and the actor no admin
 */
export async function openAvatar(
  db: Db,
  { vault }: Pick<Services, 'vault'>,
  { actor }: CommandContext,
  { id }: { id: string },
): Promise<SentImage> {
  const row = await db
    .selectFrom('avatar')
    .select(['userId', 'imageEncrypted'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || (row.userId !== actor.id && actor.role !== 'admin')) {
    throw new AppError('document_not_found');
  }
  return {
    bytes: await vault.open(db, row.userId, placeOf(id), row.imageEncrypted),
    mediaType: 'image/jpeg',
    fileName: 'picture.jpg',
  };
}
