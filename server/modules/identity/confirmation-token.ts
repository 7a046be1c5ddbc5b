import { createHash } from 'node:crypto';
import { CONFIRMATION_LINK_LIFE_HOURS } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { newToken } from '#server/lib/ids.ts';
import type { Identity } from './identity.ts';
import { findUserByEmail } from './queries.ts';

/**
 * Makes the token of a link that confirms an address, for CONFIRMATION_LINK_LIFE_HOURS; only its hash is
 * kept, beside Better Auth's own. Better Auth would sign one instead, which nothing can spend: it would
 * confirm a later sign-up on the same address, too.
 *
 * @returns null when there is no such person, or the address is confirmed already
 */
export async function createConfirmationToken(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  email: string,
): Promise<string | null> {
  const user = await findUserByEmail(db, email);
  if (user === undefined || user.emailVerified) return null;
  const token = newToken();
  const now = services.clock.now();
  await withTx(db, (tx) =>
    tx
      .insertInto('authVerification')
      .values({
        identifier: identifierOf(token),
        value: user.id,
        expiresAt: new Date(now.getTime() + CONFIRMATION_LINK_LIFE_HOURS * 3_600_000),
        createdAt: now,
        updatedAt: now,
      })
      .execute(),
  );
  return token;
}

/** Whose address a token confirms; null for one that is spent, expired or made up. */
export async function findByConfirmationToken(
  reader: Reader,
  { token, now }: { token: string; now: Date },
): Promise<string | null> {
  const row = await reader
    .selectFrom('authVerification')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.value ?? null;
}

function identifierOf(token: string): string {
  return createHash('sha256').update(`confirm-email:${token}`).digest('base64url');
}
