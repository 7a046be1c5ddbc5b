import { randomBytes } from 'node:crypto';
import { DEPOSIT_PLACES } from '#scripts/demo/company.ts';
import { CHECK_SIDES } from '#contract/statuses.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { attachCheckImage } from '#server/modules/deposits/index.ts';
import { prepareImage, stageImage } from '#server/modules/kyc/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { picture } from './images.ts';

/** Has the company offer every way to deposit. */
export async function offerDeposits(db: Db, services: Services): Promise<void> {
  await withTx(db, (tx) => updateSettings(tx, services, { actor: 'system' }, DEPOSIT_PLACES));
}

/** Decoded once for all tests of a file. */
const somePicture = picture().then(prepareImage);

/** Both photographs of the check of a deposit, which no other deposit has. */
export async function giveCheckImages(
  db: Db,
  services: Services,
  owner: CommandContext,
  depositId: string,
): Promise<void> {
  for (const side of CHECK_SIDES) {
    const image = {
      ...(await somePicture),
      originalSha256: randomBytes(32),
      imageSha256: randomBytes(32),
    };
    await withTx(db, async (tx) => {
      const staged = await stageImage(tx, services, {
        userId: owner.actor.id,
        table: 'deposit_image',
        fileName: `check-${side}.jpg`,
        image,
      });
      await services.files.put(staged.id, staged.sealed);
      await attachCheckImage(tx, services, owner, { depositId, side, staged });
    });
  }
}
