import type { RouteReply, Session } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { avatarUrl } from '#server/lib/avatar-url.ts';
import { AppError } from '#server/lib/errors.ts';
import { adviceTo } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Identity } from './identity.ts';
import { presentUser, USER_COLUMNS } from './present.ts';

/** Facts about the person (null: a visitor) and the company that a screen needs. */
export async function describeSession(
  identity: Pick<Identity, 'kycStatusOf' | 'confirmsEmail' | 'isProduction'>,
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
          .select(['twoFactorEnabled', 'payoutsFrozenAt'])
          .leftJoin('avatar', 'avatar.userId', 'appUser.id')
          .select('avatar.id as avatarId')
          .where('appUser.id', '=', userId)
          .executeTakeFirstOrThrow();
  const user = row === undefined ? null : presentUser(row);
  const mustSetUpTwoFactor =
    user?.role === 'admin' && requireAdminTwoFactor && row?.twoFactorEnabled === false;
  return {
    user,
    kycStatus: user?.isEmployee === true ? await identity.kycStatusOf(reader, user.id) : null,
    avatarUrl: avatarUrl(row?.avatarId ?? null),
    payoutsFrozenAt: row?.payoutsFrozenAt?.toISOString() ?? null,
    company: { name: companyName, currency, timeZone },
    confirmsEmail: identity.confirmsEmail,
    mustSetUpTwoFactor,
    maySkipTwoFactor: mustSetUpTwoFactor && (await maySkipTwoFactor(identity, reader)),
  };
}

/** Advice to a person for an event that was not them, by what they can do themselves. */
export async function adviceToPerson(reader: Reader, userId: string): Promise<string> {
  const owner = await reader
    .selectFrom('appUser')
    .select(['role', 'isAlsoEmployee'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return adviceTo(owner);
}

/** True if an admin may go on without the two-factor that the company requires: the only one, not in production. */
export async function maySkipTwoFactor(
  { isProduction }: Pick<Identity, 'isProduction'>,
  reader: Reader,
): Promise<boolean> {
  if (isProduction) return false;
  const admins = await reader
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .limit(2)
    .execute();
  return admins.length === 1;
}

/**
 * Time at which a session ends if its user does nothing more.
 *
 * @throws {AppError} `unauthenticated` where it has ended since the request was let in
 */
export async function readSessionEnd(
  db: Db,
  { tokenHash, role, now }: { tokenHash: string | null; role: Role; now: Date },
): Promise<RouteReply<'getSessionEnd'>> {
  const row = await db
    .selectFrom('authSession')
    .select(['lastSeenAt', 'expiresAt'])
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('unauthenticated');
  const idleMs = now.getTime() - idleSince(await readSettings(db), role, now).getTime();
  const idleEndMs = row.lastSeenAt.getTime() + idleMs;
  const lastEndMs = row.expiresAt.getTime();
  return {
    endsInMs: Math.max(0, Math.min(idleEndMs, lastEndMs) - now.getTime()),
    canBeExtended: idleEndMs < lastEndMs,
  };
}

/** Most sessions of one person that are read. */
const MOST_SESSIONS = 100;

/** Open sessions of a person, latest use first. Hashes of tokens stay in the database. */
export async function listSessions(
  db: Db,
  options: { userId: string; role: Role; currentHash: string | null; now: Date },
): Promise<RouteReply<'listSessions'>> {
  const rows = await readOpenSessions(db, options);
  return {
    items: rows.map(({ tokenHash, expiresAt, ...row }) => ({
      ...presentSession(row),
      isCurrent: tokenHash === options.currentHash,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/**
 * Sessions of a person, for an admin.
 *
 * @throws {AppError} `person_not_found`
 */
export async function listSessionsOf(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<RouteReply<'adminListSessions'>> {
  const person = await db
    .selectFrom('appUser')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  const rows = await readOpenSessions(db, { userId, role: person.role, now });
  return { items: rows.map(({ tokenHash: _, expiresAt: __, ...row }) => presentSession(row)) };
}

/**
 * A session last used before this is over: it is ended when it is used next, if ever.
 *
 * @param role of the person whose session it is
 */
export function idleSince(
  settings: Pick<CompanySettings, 'adminIdleMinutes' | 'employeeIdleMinutes'>,
  role: Role,
  now: Date,
): Date {
  const minutes = role === 'admin' ? settings.adminIdleMinutes : settings.employeeIdleMinutes;
  return new Date(now.getTime() - minutes * 60_000);
}

async function readOpenSessions(
  db: Db,
  { userId, role, now }: { userId: string; role: Role; now: Date },
) {
  return db
    .selectFrom('authSession')
    .select(['id', 'tokenHash', 'createdAt', 'lastSeenAt', 'expiresAt', 'userAgent', 'ipAddress'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>=', idleSince(await readSettings(db), role, now))
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(MOST_SESSIONS)
    .execute();
}

interface SessionRow {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string | null;
  ipAddress: string | null;
}

function presentSession({ id, createdAt, lastSeenAt, userAgent, ipAddress }: SessionRow) {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    userAgent,
    ipAddress,
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

/** True once somebody is an administrator, whatever became of them. */
export async function hasAdmin(reader: Reader): Promise<boolean> {
  const admin = await reader
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}
