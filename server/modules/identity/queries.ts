import type { RouteReply, Session } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Identity } from './identity.ts';
import { presentUser, USER_COLUMNS } from './present.ts';

/** What a screen needs to know of the person (null: a visitor) and the company. */
export async function describeSession(
  identity: Pick<Identity, 'kycStatusOf' | 'confirmsEmail'>,
  reader: Reader,
  userId: string | null,
): Promise<Session> {
  const { companyName, currency, timeZone, requireAdminTwoFactor } = await readSettings(reader);
  const row =
    userId === null
      ? undefined
      : await reader
          .selectFrom('appUser')
          .select(USER_COLUMNS)
          .select('twoFactorEnabled')
          .where('id', '=', userId)
          .executeTakeFirstOrThrow();
  const user = row === undefined ? null : presentUser(row);
  return {
    user,
    kycStatus: user?.role === 'employee' ? await identity.kycStatusOf(reader, user.id) : null,
    company: { name: companyName, currency, timeZone },
    confirmsEmail: identity.confirmsEmail,
    mustSetUpTwoFactor:
      user?.role === 'admin' && requireAdminTwoFactor && row?.twoFactorEnabled === false,
  };
}

/** Where a person is signed in, latest use first. Tokens stay in the database. */
export async function listSessions(
  db: Db,
  options: { userId: string; role: Role; currentToken: string | null; now: Date },
): Promise<RouteReply<'listSessions'>> {
  const { adminIdleMinutes, employeeIdleMinutes } = await readSettings(db);
  const idleMinutes = options.role === 'admin' ? adminIdleMinutes : employeeIdleMinutes;
  const rows = await db
    .selectFrom('authSession')
    .select(['id', 'token', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgent', 'ipAddress'])
    .where('userId', '=', options.userId)
    .where('expiresAt', '>', options.now)
    // One that was idle for too long is ended when it is used next, if ever.
    .where('lastSeenAt', '>=', new Date(options.now.getTime() - idleMinutes * 60_000))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .execute();
  return {
    items: rows.map((row) => ({
      id: row.id,
      isCurrent: row.token === options.currentToken,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      // Better Auth keeps an empty text where nothing is known.
      userAgent: row.userAgent || null,
      ipAddress: row.ipAddress || null,
    })),
  };
}

/** The account of an e-mail address, in lower case. */
export async function findUserByEmail(
  reader: Reader,
  email: string,
): Promise<{ id: string; emailVerified: boolean; isDeactivated: boolean } | undefined> {
  const row = await reader
    .selectFrom('appUser')
    .select(['id', 'emailVerified', 'deactivatedAt'])
    .where('email', '=', email)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      emailVerified: row.emailVerified,
      isDeactivated: row.deactivatedAt !== null,
    }
  );
}
