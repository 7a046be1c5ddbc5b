import type { RouteReply } from '#contract/api.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { act } from '#server/modules/acts/index.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { fileNameOf, writeContent } from './content.ts';
import { readBatches, readItems } from './items.ts';
import { payoutFiles, refuseUnsound } from './payout-file.ts';
import type { StoredProfile } from './profile.ts';
import { loadPayoutFile } from './queries.ts';

/**
 * Gives a payout file out, once, or again with a reason. It is written again from its items, and is the same byte
 * for byte, as its hash says.
 *
 * @throws {AppError} `payout_file_not_found`, `payout_file_wrong_status`, `payout_item_not_ready`,
 *   `second_person_needed`, `payout_file_differs`, `data_destroyed`
 */
export async function downloadPayoutFile(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { id, ...input }: { id: string; reason?: string },
): Promise<RouteReply<'adminDownloadPayoutFile'>> {
  const isAgain = input.reason !== undefined;
  const reason = { details: { reason: input.reason ?? '' } };
  await act(tx, services, by, payoutFiles, isAgain ? 'downloadAgain' : 'download', {
    ...{ id, ...input },
    ...(isAgain && reason),
  });
  return writeAgain(tx, services, by, id);
}

/**
 * Gives a payout file out to a request that did so already, and whose reply was lost: the same decision, which nothing
 * records again. No reply is stored that has whole account numbers, so the file is written again.
 *
 * @throws {AppError} `payout_file_wrong_status` once it was sent or cancelled, and as `downloadPayoutFile`
 */
export async function repeatDownload(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminDownloadPayoutFile'>> {
  const row = invariant(await payoutFiles.lock(tx, id, 'download'), 'a downloaded file is gone');
  await checkStatus(tx, payoutFile, 'downloadAgain', row);
  await refuseUnsound({ tx, services, by, row });
  return writeAgain(tx, services, by, id);
}

async function writeAgain(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminDownloadPayoutFile'>> {
  const row = invariant(await payoutFiles.lock(tx, id, 'download'), 'a locked file is gone');
  const profile = row.profile as unknown as StoredProfile;
  const items = await readItems(tx, id);
  const batches = readBatches(tx, services, items, { ...row, profile });
  const order = { ...row, profile, madeOn: row.madeDay, batches };
  const parts: string[] = [];
  const { contentHash } = await writeContent(order, (part) => parts.push(part));
  if (contentHash !== row.contentHash) throw new AppError('payout_file_differs');
  return {
    file: await loadPayoutFile(tx, services, by, id),
    fileName: fileNameOf(order),
    content: parts.join(''),
  };
}
