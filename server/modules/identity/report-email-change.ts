import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newToken } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import { addressKey } from './attempts.ts';
import { lockChange } from './confirm-email-change.ts';
import type { EmailChange } from './confirm-email-change.ts';
import { endSessionsOf } from './end-sessions.ts';
import { recordPayouts } from './freeze-payouts.ts';
import type { Call, Identity } from './identity.ts';
import { findByLinkToken } from './link-token.ts';
import { hashPassword } from './password-hash.ts';
import { findUserByEmail } from './queries.ts';
import { cancelEmailChanges } from './request-email-change.ts';

/**
 * "This was not me", by the link that the former address got: the former address is the account's
 * again, its payouts are frozen until an admin has looked, everybody is signed out, and the password works
 * no more, so that a link to the former address is the only way in. Whoever reads only an old mailbox
 * gains no money by it. Opening the link twice is fine.
 *
 * @throws {AppError} `link_invalid`
 */
export async function reportEmailChange(
  identity: Identity,
  { origin }: Call,
  token: string,
): Promise<void> {
  const { attempts, db, services } = identity;
  await attempts.spend('linkFromAddress', addressKey(origin.ipAddress));
  const passwordHash = await hashPassword(newToken());
  await withTx(db, async (tx) => {
    const at = services.clock.now();
    const id = await findByLinkToken(tx, { purpose: 'report-email', token, now: at });
    const change = id === null ? null : await lockChange(tx, id);
    if (change === null || change.confirmedAt === null) throw new AppError('link_invalid');
    if (change.reportedAt !== null) return;
    const { userId } = change;
    const by = { actor: 'visitor', origin } as const;
    const name = await restoreAndFreeze(tx, by, change, at);
    await tx
      .updateTable('authAccount')
      .set({ password: passwordHash, updatedAt: at })
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .execute();
    // With those after it: whoever made them cannot take back what the owner has taken back.
    await tx
      .updateTable('emailChange')
      .set({ reportedAt: at })
      .where('userId', '=', userId)
      .where('confirmedAt', '>=', change.confirmedAt)
      .execute();
    await cancelEmailChanges(tx, userId, at);
    await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
    await endSessionsOf(tx, userId);
    recordAudit(tx, {
      by,
      action: 'email.change_reported',
      subjectType: 'user',
      subjectId: userId,
      personId: userId,
    });
    notifyBoth(tx, { userId, name, at });
  });
}

/**
 * The address goes back to what it was before the change, whatever was changed after it; unless another
 * person has it by now.
 */
async function restoreAndFreeze(
  tx: Tx,
  by: AuditContext,
  change: EmailChange,
  at: Date,
): Promise<string> {
  const { userId, formerEmail } = change;
  const person = await tx
    .selectFrom('appUser')
    .select(['name', 'email', 'payoutsFrozenAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const isFree = (await findUserByEmail(tx, formerEmail)) === undefined;
  await tx
    .updateTable('appUser')
    .set({
      email: isFree ? formerEmail : person.email,
      payoutsFrozenAt: person.payoutsFrozenAt ?? at,
      passwordResetAt: at,
      updatedAt: at,
    })
    .where('id', '=', userId)
    .execute();
  if (person.payoutsFrozenAt === null) recordPayouts(tx, by, { userId, action: 'payouts.frozen' });
  return person.name;
}

function notifyBoth(
  tx: Tx,
  { userId, name, at }: { userId: string; name: string; at: Date },
): void {
  notify(tx, userId, {
    kind: 'email-change-taken-back',
    message:
      'The change of your email address was reported as not yours. Your payouts are frozen until an administrator has looked, and you choose a new password to sign in.',
    relatedId: userId,
    at,
  });
  notifyAdmins(tx, {
    kind: 'payouts-frozen',
    message: `A change of the email address of ${name} was reported as not theirs. Their payouts are frozen until an administrator releases them.`,
    relatedId: userId,
    at,
  });
  publish(tx, { topic: 'people', userId: null });
}
