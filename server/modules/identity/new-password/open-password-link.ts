import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { hasPassword } from './create-password-tokens.ts';
import type { Identity } from '../identity.ts';
import { findByLinkToken } from '../link-token.ts';

/**
 * Describes a link to choose a password: the first one or a replacement, for which account, and which
 * admin invited the person. The token stays good.
 *
 * @throws {AppError} `link_invalid`
 */
export async function openPasswordLink(
  identity: Identity,
  token: string,
): Promise<RouteReply<'openPasswordLink'>> {
  const { db } = identity;
  const owner = await findPasswordLinkOwner(identity, token);
  if (owner === null) throw new AppError('link_invalid');
  const person = await db
    .selectFrom('appUser')
    .select(['email', 'firstName'])
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow();
  const kind = owner.hasPassword ? 'reset' : 'first';
  return { kind, ...person, invitedBy: owner.hasPassword ? null : await inviterOf(db, owner.id) };
}

/**
 * Finds the person whose password a token sets; null for a token that is spent, expired or made up, and
 * for a deactivated person.
 */
export async function findPasswordLinkOwner(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  token: string,
): Promise<{ id: string; hasPassword: boolean } | null> {
  const now = services.clock.now();
  const id = await findByLinkToken(db, { purpose: 'reset-password', token, now });
  if (id === null) return null;
  const person = await db
    .selectFrom('appUser')
    .select('id')
    .where('id', '=', id)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst();
  return person === undefined ? null : { id, hasPassword: await hasPassword(db, id) };
}

/** Name of the admin who added the person or made their newest link; null where it was nobody. */
async function inviterOf(reader: Reader, personId: string): Promise<string | null> {
  const inviter = await reader
    .selectFrom('auditEvent')
    .innerJoin('appUser', 'appUser.id', 'auditEvent.actorId')
    .select('appUser.name')
    .where('personId', '=', personId)
    .where('action', 'in', ['user.created', 'password.link_created'])
    .where('actorRole', '=', 'admin')
    .orderBy('auditEvent.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return inviter?.name ?? null;
}
