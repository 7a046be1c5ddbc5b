import type { ReviewClaim } from '#contract/api.ts';
import { CLAIM_LIFE_S } from '#contract/kyc.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { lockPerson } from '../lock-application.ts';
import { recomputeProfile } from '../documents/profile.ts';
import { loadItem } from './review-item.ts';

interface ClaimOn {
  itemId: string;
  viewerId: string;
}

/** The admin who holds an item of the queue; null where nobody does or the hold has lapsed. */
export async function findClaim(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  { itemId, viewerId }: ClaimOn,
): Promise<ReviewClaim | null> {
  const row = await reader
    .selectFrom('kycClaim')
    .innerJoin('appUser', 'appUser.id', 'kycClaim.adminId')
    .select(['adminId', 'expiresAt', 'appUser.name'])
    .where('itemId', '=', itemId)
    .where('expiresAt', '>', clock.now())
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    holder: { id: row.adminId, name: row.name, employeeId: null },
    isMine: row.adminId === viewerId,
    expiresAt: row.expiresAt.toISOString(),
  };
}

/**
 * Takes an item of the queue up for `CLAIM_LIFE_S`, or renews that. Another admin's hold stays unless
 * it is taken over. It only shows admins each other: what protects a decision is the version.
 * Taking up wallet documents puts those that are pending under review.
 *
 * @returns who has it now
 * @throws {AppError} `not_found`, `own_request`
 */
export async function claimReview(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { itemId, takeOver }: { itemId: string; takeOver: boolean },
): Promise<ReviewClaim> {
  const adminId = by.actor.id;
  const item = await loadItem(tx, itemId);
  checkNotOwn(by, item.userId);
  // The person first, as everywhere; of two concurrent admins the second sees the first's claim.
  await lockPerson(tx, item.userId);
  const held = await findClaim(tx, services, { itemId, viewerId: adminId });
  if (held !== null && !held.isMine && !takeOver) return held;
  const now = services.clock.now();
  const columns = {
    adminId,
    claimedAt: now,
    expiresAt: new Date(now.getTime() + CLAIM_LIFE_S * 1_000),
  };
  await tx
    .insertInto('kycClaim')
    .values({ itemId, ...columns })
    .onConflict((conflict) => conflict.column('itemId').doUpdateSet(columns))
    .execute();
  if (held === null || !held.isMine) {
    const event = held === null ? 'kyc.review_claimed' : 'kyc.review_taken_over';
    record(tx, by, event, { id: itemId, personId: item.userId });
    if (item.kind === 'documents') await startReview(tx, services, item.userId);
  }
  return {
    holder: { id: adminId, name: by.actor.name, employeeId: null },
    isMine: true,
    expiresAt: columns.expiresAt.toISOString(),
  };
}

/** Puts an item back that the actor has; anybody else's stays. @throws {AppError} `not_found` */
export async function releaseReview(tx: Tx, by: CommandContext, itemId: string): Promise<void> {
  await loadItem(tx, itemId);
  const { numDeletedRows } = await tx
    .deleteFrom('kycClaim')
    .where('itemId', '=', itemId)
    .where('adminId', '=', by.actor.id)
    .executeTakeFirst();
  if (numDeletedRows > 0n) publish(tx, { topic: 'kyc', userId: null });
}

async function startReview(tx: Tx, services: Services, userId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('kycDocument')
    .set((eb) => ({ status: 'under_review', version: eb('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('applicationId', 'is', null)
    .where('replacedAt', 'is', null)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await recomputeProfile(tx, services, userId);
  publish(tx, { topic: 'kyc', userId });
}
