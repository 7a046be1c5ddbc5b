import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { addressKey } from './attempts.ts';
import { listen } from './auth-callbacks.ts';
import { refusalOf } from './auth-refusal.ts';
import type { Call, Identity } from './identity.ts';

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
  await identity.attempts.spend('linkFromAddress', addressKey(origin.ipAddress));
  const { reported } = await listen(() =>
    identity.auth.api.verifyEmail({ query: { token } }),
  ).catch((error: unknown) => {
    if (refusalOf(error) !== undefined) throw new AppError('link_invalid');
    throw error;
  });
  const userId = reported.confirmedUserId;
  if (userId === undefined) return;
  await withTx(identity.db, (tx) =>
    recordAudit(tx, {
      by: { actor: 'visitor', origin },
      action: 'email.confirmed',
      subjectType: 'user',
      subjectId: userId,
      personId: userId,
    }),
  );
}
