import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { newToken } from '#server/lib/ids.ts';

/** Purposes of tokens: those of mailed links, and from `documents-open` on those of cookies. */
type Purpose =
  | 'reset-password'
  | 'confirm-email'
  | 'change-email'
  | 'report-email'
  | 'report-notice'
  | 'documents-link'
  | 'admin-invite'
  | 'documents-open'
  | 'second-step'
  | 'passkey-sign-in'
  | 'passkey-addition'
  | 'passkey-confirmation';

/**
 * Creates a token of which only the hash is kept. Deleting the row spends it.
 *
 * @param link.value what it is about: the id of a person, of an `email_change` or a notification, or the
 *   challenge of a passkey
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
      })
      .execute(),
  );
  return token;
}

/** The value of a token; null for one that is spent, expired or made up. */
export async function findByLinkToken(
  reader: Reader,
  link: { purpose: Purpose; token: string; now: Date },
): Promise<string | null> {
  return (await findLink(reader, link))?.value ?? null;
}

/** The same with the time when it was created, which is when its mail was written. */
export async function findLink(
  reader: Reader,
  { purpose, token, now }: { purpose: Purpose; token: string; now: Date },
): Promise<{ value: string; createdAt: Date } | null> {
  const row = await reader
    .selectFrom('authVerification')
    .select(['value', 'createdAt'])
    .where('identifier', '=', identifierOf(purpose, token))
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The value of a token, which works no more: of two requests at the same time one gets it. Null as
 * `findByLinkToken`, by the database's clock.
 */
export async function spendLinkToken(
  tx: Tx,
  { purpose, token }: { purpose: Purpose; token: string },
): Promise<string | null> {
  const row = await tx
    .deleteFrom('authVerification')
    .where('identifier', '=', identifierOf(purpose, token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('value')
    .executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Spends every mailed link about a person, and every "this was not me" that was mailed to them at or after a time. The
 * links that take an address back stay: they are kept with the change of address.
 */
export async function spendLinksOf(
  tx: Tx,
  { userId, since }: { userId: string; since: Date },
): Promise<void> {
  await tx.deleteFrom('authVerification').where('value', '=', userId).execute();
  await tx
    .deleteFrom('authVerification')
    .where('createdAt', '>=', since)
    .where('value', 'in', (one) =>
      one
        .selectFrom('notification')
        .select((notice) => notice.cast<string>('notification.id', 'text').as('value'))
        .where('notification.userId', '=', userId),
    )
    .execute();
}

/** The hash under which a token is kept. */
export function identifierOf(purpose: Purpose, token: string): string {
  return createHash('sha256').update(`${purpose}:${token}`).digest('base64url');
}
