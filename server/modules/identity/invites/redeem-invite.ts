import { invite } from '#contract/things/invite.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal, record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { findInvite } from './find-invite.ts';
import type { Call, Identity } from '../identity.ts';
import { browserOfSession, startSession } from '../sessions/start-session.ts';
import { waitAsSecondPerson } from '../second-people.ts';

/**
 * Makes the signed-in person an admin. Their sessions end with the old role; the browser that asked
 * gets a new one.
 *
 * @throws AppError invite_invalid, invite_other_email
 */
export async function redeemInvite(
  identity: Identity,
  context: Call & CommandContext,
  token: string,
): Promise<{ reply: { success: true }; cookies: readonly string[] }> {
  const { actor, origin } = context;
  await identity.attempts.spend('redemptionByAccount', actor.id);
  try {
    return await withTx(identity.db, async (tx) => {
      const browser = await browserOfSession(tx, identity, context.headers);
      const isGranted = await grantAdmin(tx, identity.services, context, token);
      const session = { ...browser, userId: actor.id, origin, isConfirmed: false };
      const cookies = isGranted ? [await startSession(tx, identity, session)] : [];
      return { reply: { success: true }, cookies };
    });
  } catch (error) {
    if (error instanceof AppError) await auditRefusal(identity, context, error);
    throw error;
  }
}

/**
 * The change itself: spends the invite and raises the role. Of two people who redeem one invite at
 * once, one wins. A person who was accepted as an employee stays one
 * (docs/decisions/002-admin-invites.md).
 *
 * @returns false for an admin: they gain nothing, and the invite stays for whom it was meant
 */
export async function grantAdmin(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  token: string,
): Promise<boolean> {
  const now = services.clock.now();
  const { email, role, acceptedAt, employeeNumber } = await tx
    .selectFrom('appUser')
    .select(['email', 'role', 'acceptedAt', 'employeeNumber'])
    .where('id', '=', by.actor.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const found = await findInvite(tx, { token, now });
  const waiting =
    found &&
    (await tx
      .selectFrom('adminInvite')
      .select(['id', 'email', 'createdBy'])
      .where('id', '=', found.id)
      .where('redeemedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst());
  if (waiting === undefined) throw new AppError('invite_invalid');
  if (waiting.email !== null && waiting.email !== email) throw new AppError('invite_other_email');
  if (role === 'admin') return false;
  const isAlsoEmployee = acceptedAt !== null && employeeNumber !== null;
  await tx
    .updateTable('adminInvite')
    .set({ redeemedBy: by.actor.id, redeemedAt: now })
    .where('id', '=', waiting.id)
    .execute();
  await tx
    .updateTable('appUser')
    .set({ role: 'admin', isAlsoEmployee, acceptedAt: acceptedAt ?? now, updatedAt: now })
    .where('id', '=', by.actor.id)
    .execute();
  const { createdBy } = waiting;
  if (createdBy !== null) {
    await waitAsSecondPerson(tx, { userId: by.actor.id, since: now, causes: [createdBy] });
  }
  await endSessionsOf(tx, by.actor.id);
  journal(tx, by, invite, 'redeem', {
    id: waiting.id,
    personId: by.actor.id,
    relatedId: by.actor.id,
    at: now,
    details: { isAlsoEmployee },
  });
  return true;
}

async function auditRefusal(
  identity: Identity,
  by: CommandContext,
  error: AppError,
): Promise<void> {
  await withTx(identity.db, (tx) =>
    record(tx, by, 'invite.refused', { id: by.actor.id, details: { reason: error.code } }),
  );
}
