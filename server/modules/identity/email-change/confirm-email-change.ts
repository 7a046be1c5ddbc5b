import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { isUniqueViolation, withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { forgetSuppression } from '#server/modules/notifications/index.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import type { Call, Identity } from '../identity.ts';
import { findByLinkToken } from '../link-token.ts';
import { sessionHashOf } from '../sessions/cookies.ts';
import { waitAsSecondPerson } from '../second-people.ts';

/**
 * Changes the address by the link that was mailed to the new one. Sessions elsewhere end, links that
 * were mailed to the former address are spent, payouts cool off as after a reset of the password, and
 * the former address gets a mail by which its reader can take the change back
 * (`reportEmailChange`). Opening the link twice is fine.
 *
 * @throws {AppError} `link_invalid`, also where another person has the address by now
 */
export async function confirmEmailChange(
  identity: Identity,
  { origin, headers }: Call,
  token: string,
): Promise<void> {
  const { db, services } = identity;
  const kept = sessionHashOf(identity, headers);
  await withTx(db, async (tx) => {
    const at = services.clock.now();
    const id = await findByLinkToken(tx, { purpose: 'change-email', token, now: at });
    const change = id === null ? null : await lockChange(tx, id);
    if (change === null || change.cancelledAt !== null || change.reportedAt !== null) {
      throw new AppError('link_invalid');
    }
    if (change.confirmedAt !== null) return;
    const { userId } = change;
    await setEmail(tx, { userId, email: change.email, at });
    await waitAsSecondPerson(tx, { userId, since: at });
    await forgetSuppression(tx, change.email);
    await tx
      .updateTable('emailChange')
      .set({ confirmedAt: at })
      .where('id', '=', change.id)
      .execute();
    await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
    await endSessionsOf(tx, userId, { kept });
    record(tx, { actor: 'visitor', origin }, 'email.changed', { id: userId, at });
    enqueueMail(tx, { kind: 'email-changed', userId, payload: { emailChangeId: change.id } });
  });
}

/** @throws {AppError} `link_invalid` where another person has the address */
async function setEmail(
  tx: Tx,
  { userId, email, at }: { userId: string; email: string; at: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ email, emailVerified: true, passwordResetAt: at, updatedAt: at })
    .where('id', '=', userId)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'app_user_email_key') ? new AppError('link_invalid') : error;
    });
  if (numUpdatedRows === 0n) throw new AppError('link_invalid');
}

/** A change of address, with its person locked. */
export interface EmailChange {
  id: string;
  userId: string;
  formerEmail: string;
  email: string;
  requestedAt: Date;
  confirmedAt: Date | null;
  cancelledAt: Date | null;
  reportedAt: Date | null;
}

/** The change, once the person's row is locked; null when retention has deleted it. */
export async function lockChange(tx: Tx, id: string): Promise<EmailChange | null> {
  const query = tx
    .selectFrom('emailChange')
    .select(['id', 'userId', 'formerEmail', 'email', 'requestedAt'])
    .select(['confirmedAt', 'cancelledAt', 'reportedAt'])
    .where('id', '=', id);
  const found = await query.executeTakeFirst();
  if (found === undefined) return null;
  await lockUser(tx, found.userId);
  return (await query.executeTakeFirst()) ?? null;
}
