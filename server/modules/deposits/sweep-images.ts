import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { destroyImages } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

const DAY_MS = 86_400_000;
const CHUNK = 100;

/**
 * Destroys photographs of checks that were decided about longer ago than identity material is kept,
 * in short transactions. Their files follow by the sweep of identity material. Safe to run anywhere,
 * any time, and to be killed.
 *
 * @returns how many were destroyed
 */
export async function sweepCheckImages(db: Db, { clock }: Services): Promise<number> {
  const { kycRetentionDays } = await readSettings(db);
  const now = clock.now();
  const endedBefore = new Date(now.getTime() - kycRetentionDays * DAY_MS);
  for (let destroyed = 0; ;) {
    const count = await withTx(db, async (tx) => {
      const ended = await tx
        .selectFrom('depositImage')
        .innerJoin('deposit', 'deposit.id', 'depositImage.depositId')
        .select(['depositImage.id', 'depositImage.fileId'])
        .where('depositImage.destroyedAt', 'is', null)
        .where('deposit.movedAt', '<', endedBefore)
        .limit(CHUNK)
        .forUpdate('depositImage')
        .skipLocked()
        .execute();
      await destroyImages(tx, 'depositImage', ended, now);
      return ended.length;
    });
    destroyed += count;
    if (count < CHUNK) return destroyed;
  }
}
