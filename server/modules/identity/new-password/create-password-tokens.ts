import { sql } from 'kysely';
import { WELCOME_LINK_LIFE_HOURS } from '#contract/limits.ts';
import { lockUsers } from '#server/db/lock-user.ts';
import { withTx } from '#server/db/tx.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { newToken } from '#server/lib/ids.ts';
import type { Identity } from '../identity.ts';
import { identifierOf } from '../link-token.ts';

/** Tokens of links to choose a first password, by the id of their person. */
interface PasswordTokens {
  tokens: ReadonlyMap<string, string>;
  expiresAt: Date;
}

/**
 * Creates the tokens of links by which people choose their first password, by five statements however
 * many people they are. A token works once, for WELCOME_LINK_LIFE_HOURS, and only its hash is kept. Older
 * tokens of these people stop working.
 *
 * People who have a password get none, since a link that somebody else sees would let them take the
 * account over. Passwords are looked up after the tokens were committed, with the people locked: a person
 * may choose one at the same time, which deletes their tokens under the same lock, so that either of the two
 * finds the other.
 */
export async function createPasswordTokens(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  personIds: readonly string[],
): Promise<PasswordTokens> {
  const now = services.clock.now();
  const expiresAt = new Date(now.getTime() + WELCOME_LINK_LIFE_HOURS * 3_600_000);
  const made = personIds.map((id) => ({ id, token: newToken() }));
  await withTx(db, async (tx) => {
    await deleteTokens(tx, personIds);
    const rows = made.map(({ id, token }) => ({
      value: id,
      identifier: identifierOf('reset-password', token),
    }));
    await sql`
      INSERT INTO auth_verification (identifier, value, expires_at, created_at)
      SELECT identifier, value, ${expiresAt}::timestamptz, ${now}::timestamptz
        FROM json_to_recordset(${JSON.stringify(rows)}::json)
          AS one (identifier text, value text)`.execute(tx);
  });
  const late = await withTx(db, async (tx) => {
    await lockUsers(tx, personIds);
    const ids = await withPassword(tx, personIds);
    await deleteTokens(tx, ids);
    return new Set(ids);
  });
  const kept = made.filter(({ id }) => !late.has(id));
  return { tokens: new Map(kept.map(({ id, token }) => [id, token])), expiresAt };
}

/** True once a person has chosen a password, also one that was made useless since. */
export async function hasPassword(reader: Reader, personId: string): Promise<boolean> {
  return (await withPassword(reader, [personId])).length > 0;
}

async function withPassword(reader: Reader, personIds: readonly string[]): Promise<string[]> {
  if (personIds.length === 0) return [];
  const accounts = await reader
    .selectFrom('authAccount')
    .select('userId')
    .where('userId', 'in', personIds)
    .where('password', 'is not', null)
    .execute();
  return accounts.map(({ userId }) => userId);
}

async function deleteTokens(tx: Tx, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  await tx.deleteFrom('authVerification').where('value', 'in', personIds).execute();
}
