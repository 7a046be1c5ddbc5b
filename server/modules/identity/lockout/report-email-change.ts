import { withSavepoint } from '#server/db/savepoint.ts';
import type { Tx } from '#server/db/tx.ts';
import { isUniqueViolation, withTx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { lockChange } from '../email-change/confirm-email-change.ts';
import type { Call, Identity } from '../identity.ts';
import { findByLinkToken } from '../link-token.ts';
import { openReport, shutOut } from './shut-out.ts';

/**
 * "This was not me", by the link that the former address got: the former address is the account's
 * again, its payouts are frozen until an admin has looked, everybody is signed out, and the password works
 * no more, so that a link to the former address is the only way in. Whoever reads only an old mailbox
 * gains no money by it. Opening the link twice is fine. Links that were mailed since the change was requested are
 * spent: the thief reads those.
 *
 * @throws {AppError} `link_invalid`
 */
export async function reportEmailChange(
  identity: Identity,
  { origin }: Call,
  token: string,
): Promise<void> {
  const { at, link, passwordHash } = await openReport(identity, 'report-email', token);
  await withTx(identity.db, async (tx) => {
    const id = await findByLinkToken(tx, link);
    const change = id === null ? null : await lockChange(tx, id);
    if (change === null || change.confirmedAt === null) throw new AppError('link_invalid');
    if (change.reportedAt !== null) return;
    const { userId, requestedAt: since } = change;
    const by = { actor: 'visitor', origin } as const;
    const name = await shutOut(tx, by, { userId, passwordHash, since, at });
    await takeAddressBack(tx, by, { userId, since: change.confirmedAt, name, at });
  });
}

/**
 * Gives an account the address that it had before the first change that was confirmed at or after a time and not
 * reported yet, unless another person has that address by now. Does nothing where there is no such change. A concurrent
 * sign-up with the address may be first: the report then freezes the account all the same.
 */
export async function takeAddressBack(
  tx: Tx,
  by: AuditContext,
  { userId, since, name, at }: { userId: string; since: Date; name: string; at: Date },
): Promise<void> {
  const first = await tx
    .selectFrom('emailChange')
    .select('formerEmail')
    .where('userId', '=', userId)
    .where('confirmedAt', '>=', since)
    .where('reportedAt', 'is', null)
    .orderBy('confirmedAt')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return;
  const { formerEmail } = first;
  await withSavepoint(tx, () =>
    tx
      .updateTable('appUser')
      .set({ email: formerEmail, emailSetBy: null })
      .where('id', '=', userId)
      .execute(),
  ).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'app_user_email_key')) throw error;
  });
  // With those after it: whoever made them cannot take back what the owner has taken back.
  await tx
    .updateTable('emailChange')
    .set({ reportedAt: at })
    .where('userId', '=', userId)
    .where('confirmedAt', '>=', since)
    .execute();
  record(tx, by, 'email.change_reported', { id: userId, at, words: { name } });
}
