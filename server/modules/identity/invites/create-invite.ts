import { createHash } from 'node:crypto';
import { emailRule } from '#contract/email.ts';
import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import { invite } from '#contract/things/invite.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { newId, newToken } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
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
  const email = input.email === undefined ? undefined : emailRule.clean(input.email);
  const made = {
    id: newId(now.getTime()),
    token: newToken(),
    expiresAt: new Date(now.getTime() + INVITE_LIFE_HOURS * 3_600_000),
  };
  await tx
    .insertInto('adminInvite')
    .values({
      id: made.id,
      tokenHash: inviteHash(made.token),
      email: email ?? null,
      createdBy: typeof by.actor === 'object' ? by.actor.id : null,
      createdAt: now,
      expiresAt: made.expiresAt,
    })
    .execute();
  const act = typeof by.actor === 'object' ? 'create' : 'createByCommand';
  journal(tx, by, invite, act, {
    id: made.id,
    relatedId: null,
    at: now,
    details: { boundToEmail: email !== undefined },
    words: { invited: email ?? 'anyone with its link' },
  });
  return made;
}

export function inviteHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
