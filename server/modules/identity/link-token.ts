import { createHash } from 'node:crypto';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { newToken } from '#server/lib/ids.ts';

/**
 * Purposes of our own tokens: mailed links, and `documents-open`, the cookie that such a link is exchanged
 * for. Better Auth makes and spends those of `reset-password`, in the same table.
 */
type Purpose =
  | 'reset-password'
  | 'confirm-email'
  | 'change-email'
  | 'report-email'
  | 'report-notice'
  | 'documents-link'
  | 'documents-open'
  | 'admin-invite';

/**
 * Makes the token of a mailed link; only its hash is kept, beside Better Auth's own. Deleting the row
 * spends it.
 *
 * @param link.value what the link is about: the id of a person, of an `email_change`, or of a notification
 */
export async function createLinkToken(
  db: Db,
  link: { purpose: Purpose; value: string; now: Date; lifeHours: number },
): Promise<string> {
  const { purpose, value, now, lifeHours } = link;
  const token = newToken();
  await withTx(db, (tx) =>
    tx
      .insertInto('authVerification')
      .values({
        identifier: identifierOf(purpose, token),
        value,
        expiresAt: new Date(now.getTime() + lifeHours * 3_600_000),
        createdAt: now,
        updatedAt: now,
      })
      .execute(),
  );
  return token;
}

/** What a link is about; null for a token that is spent, expired or made up. */
export async function findByLinkToken(
  reader: Reader,
  { purpose, token, now }: { purpose: Purpose; token: string; now: Date },
): Promise<string | null> {
  const row = await reader
    .selectFrom('authVerification')
    .select('value')
    .where('identifier', '=', identifierOf(purpose, token))
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Makes a link work no more; false where it was spent already. */
export async function spendLinkToken(
  tx: Tx,
  { purpose, token }: { purpose: Purpose; token: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('authVerification')
    .where('identifier', '=', identifierOf(purpose, token))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The hash under which a token is kept, as Better Auth makes those of its own. */
export function identifierOf(purpose: Purpose, token: string): string {
  return createHash('sha256').update(`${purpose}:${token}`).digest('base64url');
}
