import type { RouteReply } from '#contract/api.ts';
import { payoutFile } from '#contract/things/payout-file.ts';
import { planEachTime } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { act } from '#server/modules/acts/index.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayoutFile } from './checks.ts';
import { fileNameOf, writeContent } from './content.ts';
import { readItemBatches } from './items.ts';
import { orderBatches } from './order-batches.ts';
import { payoutFiles } from './payout-file.ts';
import type { StoredProfile } from './profile.ts';
import { loadPayoutFile } from './file-queries.ts';

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
    id,
    ...input,
    ...(isAgain && reason),
  });
  return giveOut(tx, services, by, id);
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
  return giveOut(tx, services, by, id);
}

/**
 * Writes the file again, unless one of its checks fails: an owner is frozen, an account was marked, the time until which the bank
 * takes it has passed. It is cancelled then, and another one is made.
 *
 * @throws {AppError} `payout_item_not_ready`, naming the payment; `payout_check_failed`, `payout_file_differs`, `data_destroyed`
 */
async function giveOut(
  tx: Tx,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminDownloadPayoutFile'>> {
  const row = invariant(await payoutFiles.lock(tx, id, 'download'), 'a locked file is gone');
  await planEachTime(tx);
  const checks = await checkPayoutFile(tx, services, by, row);
  for (const { failure } of checks) if (failure !== null) throw failure;
  const profile = row.profile as unknown as StoredProfile;
  const items = await readItemBatches(tx, id);
  const batches = orderBatches(tx, services, items, { ...row, profile });
  const order = { ...row, profile, madeOn: row.madeDay, batches };
  const parts: string[] = [];
  const { contentHash } = await writeContent(order, (part) => parts.push(part));
  if (contentHash !== row.contentHash) throw new AppError('payout_file_differs');
  return {
    file: await loadPayoutFile(tx, services, by, id, checks),
    fileName: fileNameOf(order),
    content: parts.join(''),
  };
}
