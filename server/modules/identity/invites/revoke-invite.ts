import { can } from '#contract/can.ts';
import { inviteCan } from '#contract/people.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct, recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { inviteStatusOf } from './admins.ts';

/**
 * Takes an invite back. Of an admin who revokes and a person who redeems it at once, one wins.
 *
 * @throws {AppError} `invite_not_found`, `invite_not_waiting`
 */
export async function revokeInvite(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  const now = clock.now();
  const invite = await tx
    .selectFrom('adminInvite')
    .select(['redeemedAt', 'revokedAt', 'expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (invite === undefined) throw new AppError('invite_not_found');
  const status = inviteStatusOf(invite, now);
  if (!can(inviteCan, 'revoke', status)) {
    const lastAct = await describeLastAct(tx, { type: 'invite', id });
    throw new AppError('invite_not_waiting', { status, ...lastAct });
  }
  await tx
    .updateTable('adminInvite')
    .set({ revokedBy: by.actor.id, revokedAt: now })
    .where('id', '=', id)
    .execute();
  recordAudit(tx, { by, action: 'invite.revoked', subjectType: 'invite', subjectId: id });
  publish(tx, { topic: 'people', userId: null });
}
