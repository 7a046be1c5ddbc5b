import { invite } from '#contract/things/invite.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkStatus, journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { inviteStatusOf } from './admins.ts';

/**
 * Takes an invite back. Where an admin revokes it and a person redeems it concurrently, one of them wins.
 *
 * @throws {AppError} `invite_not_found`, `invite_not_waiting`
 */
export async function revokeInvite(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id }: { id: string },
): Promise<void> {
  const now = clock.now();
  const row = await tx
    .selectFrom('adminInvite')
    .select(['redeemedAt', 'revokedAt', 'expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('invite_not_found');
  await checkStatus(tx, invite, 'revoke', { id, status: inviteStatusOf(row, now) });
  await tx
    .updateTable('adminInvite')
    .set({ revokedBy: by.actor.id, revokedAt: now })
    .where('id', '=', id)
    .execute();
  journal(tx, by, invite, 'revoke', { id, at: now });
}

/**
 * Takes the waiting invites back that a person made who is no administrator any more, or whose account others got into:
 * they, or whoever has the link, would be one again.
 *
 * @param invites.revokedBy the admin who ended their rights, or the person themselves
 * @returns how many were taken back
 */
export async function revokeInvitesOf(
  tx: Tx,
  by: AuditContext,
  { userId, revokedBy, at }: { userId: string; revokedBy: string; at: Date },
): Promise<number> {
  const revoked = await tx
    .updateTable('adminInvite')
    .set({ revokedBy, revokedAt: at })
    .where('createdBy', '=', userId)
    .where('redeemedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning('id')
    .execute();
  for (const { id } of revoked) journal(tx, by, invite, 'endWithMaker', { id, at });
  return revoked.length;
}
