import type { CheckImage } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { depositCan } from '#contract/deposits.ts';
import type { CheckSide } from '#contract/deposits.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { lastAct, readActs } from '#server/modules/acts/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { destroyImages, keepFile, takeImage } from '#server/modules/kyc/index.ts';
import type { StagedImage, UploadQueue } from '#server/modules/kyc/index.ts';
import type { Services } from '#server/services.ts';
import { deposits } from './deposit.ts';
import { currentImages, presentImage } from './images.ts';

interface NewCheckImage {
  depositId: string;
  side: CheckSide;
}

/**
 * Takes a photograph of the check of the actor's own pending deposit.
 *
 * @throws {AppError} as `takeImage` and `attachCheckImage`
 */
export function uploadCheckImage(
  db: Db,
  services: Services & { queue: UploadQueue },
  by: CommandContext,
  { fileName, body, ...image }: NewCheckImage & { fileName: string; body: UploadBody },
): Promise<CheckImage> {
  return takeImage(db, services, {
    userId: by.actor.id,
    table: 'deposit_image',
    fileName,
    body,
    check: () => findPhotographed(db, by, image.depositId),
    attach: (tx, staged) => attachCheckImage(tx, services, by, { ...image, staged }),
  });
}

/**
 * Makes an image that is in the file store the photograph of that side. The one before it is
 * destroyed: nobody has decided by it, since the deposit waits and nobody has confirmed that it arrived. A photograph
 * that another deposit came with is refused, so that one check is not paid in twice.
 *
 * @throws {AppError} `deposit_not_found`, `deposit_takes_no_images`, `deposit_wrong_status`, `deposit_confirmed`,
 *   `check_image_used`
 */
export async function attachCheckImage(
  tx: Tx,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { depositId, side, staged }: NewCheckImage & { staged: StagedImage },
): Promise<CheckImage> {
  const userId = by.actor.id;
  const now = clock.now();
  await findPhotographed(tx, by, depositId, { isLocked: true });
  if (await isUsedElsewhere(tx, depositId, staged)) throw new AppError('check_image_used');
  const previous = (await currentImages(tx, depositId)).filter((image) => image.side === side);
  for (const { id } of previous) {
    await tx.updateTable('depositImage').set({ replacedAt: now }).where('id', '=', id).execute();
  }
  await destroyImages(tx, 'depositImage', previous, now);
  await keepFile(tx, staged.id, now);
  const row = await tx
    .insertInto('depositImage')
    .values({
      ...staged.row,
      depositId,
      userId,
      side,
      uploadedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const details = { side, imageId: row.id };
  record(tx, by, 'deposit.image_uploaded', { id: depositId, personId: userId, details });
  return presentImage(tx, vault, row);
}

/**
 * The actor's own deposit, which has to be a pending one by mobile check that no administrator has confirmed: the second
 * one approves by the photographs that the first one saw.
 */
async function findPhotographed(
  reader: Reader,
  by: CommandContext,
  depositId: string,
  { isLocked = false } = {},
): Promise<void> {
  const row = await reader
    .selectFrom('deposit')
    .select(['method', 'status'])
    .where('id', '=', depositId)
    .where('userId', '=', by.actor.id)
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  if (row.method !== 'mobile_check') throw new AppError('deposit_takes_no_images');
  const { status } = row;
  if (!can(depositCan, 'photograph', status))
    throw new AppError('deposit_wrong_status', { status });
  const done = await readActs(reader, deposits.thing, depositId);
  if (lastAct(deposits.thing, { done }, 'confirm') !== undefined) {
    throw new AppError('deposit_confirmed');
  }
}

/** True if a deposit that is or may be paid came with the same photograph. */
async function isUsedElsewhere(
  tx: Tx,
  depositId: string,
  { row: { originalHash, imageHash } }: StagedImage,
): Promise<boolean> {
  const used = await tx
    .selectFrom('depositImage')
    .innerJoin('deposit', 'deposit.id', 'depositImage.depositId')
    .select('depositImage.id')
    .where('deposit.id', '<>', depositId)
    .where('deposit.status', 'in', ['pending', 'approved'])
    .where((eb) =>
      eb.or([
        eb('depositImage.originalHash', '=', originalHash),
        eb('depositImage.imageHash', '=', imageHash),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return used !== undefined;
}
