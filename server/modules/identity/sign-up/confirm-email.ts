import { lockUser } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Call, Identity } from '../identity.ts';
import { findByLinkToken } from '../link-token.ts';

/**
 * Confirms an address with a mailed token. Opening the link twice is fine: it says so both times.
 *
 * @throws AppError link_invalid
 */
export async function confirmEmail(
  identity: Identity,
  { origin }: Call,
  token: string,
): Promise<void> {
  const now = identity.services.clock.now();
  await withTx(identity.db, async (tx) => {
    const link = { purpose: 'confirm-email', token, now } as const;
    const found = await findByLinkToken(tx, link);
    if (found !== null) await lockUser(tx, found);
    // Asked again: a later sign-up on this address may have spent it meanwhile.
    const userId = await findByLinkToken(tx, link);
    if (userId === null) throw new AppError('link_invalid');
    const { numUpdatedRows } = await tx
      .updateTable('appUser')
      .set({ emailVerified: true, updatedAt: now })
      .where('id', '=', userId)
      .where('emailVerified', '=', false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    record(tx, { actor: 'visitor', origin }, 'email.confirmed', { id: userId });
  });
}
