import { createHash } from 'node:crypto';
import { emailRule } from '#contract/email.ts';
import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { newId, newToken } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';

export interface Invite {
  id: string;
  /** Shown once; only its SHA-256 is kept. */
  token: string;
  expiresAt: Date;
}

/**
 * Makes an invite that turns the person who redeems it into an admin: random 256 bits, for one use,
 * for INVITE_LIFE_HOURS.
 *
 * @param input.email the only account that may redeem it, where given
 */
export async function createInvite(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  input: { email?: string } = {},
): Promise<Invite> {
  const now = services.clock.now();
  const invite = {
    id: newId(now.getTime()),
    token: newToken(),
    expiresAt: new Date(now.getTime() + INVITE_LIFE_HOURS * 3_600_000),
  };
  await tx
    .insertInto('adminInvite')
    .values({
      id: invite.id,
      tokenHash: inviteHash(invite.token),
      email: input.email === undefined ? null : emailRule.clean(input.email),
      createdBy: typeof by.actor === 'object' ? by.actor.id : null,
      createdAt: now,
      expiresAt: invite.expiresAt,
    })
    .execute();
  recordAudit(tx, {
    by,
    action: 'invite.created',
    subjectType: 'invite',
    subjectId: invite.id,
    details: { boundToEmail: input.email !== undefined },
  });
  publish(tx, { topic: 'people', userId: null });
  return invite;
}

export function inviteHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
