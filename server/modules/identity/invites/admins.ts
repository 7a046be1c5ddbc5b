import { sql } from 'kysely';
import type { Admin, RouteReply } from '#contract/api.ts';
import { INVITES_SHOWN } from '#contract/limits.ts';
import type { InviteStatus } from '#contract/statuses.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { hasOther, readSecondPeople } from '../second-people.ts';
import { refusalOfInvites } from './create-invite.ts';

type Clocked = Pick<Services, 'clock'>;

interface AdminRow {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  lastActiveAt: Date | null;
  sessions: number;
}

/** The active admins, by name. A session that has expired is none. */
export async function listAdmins(
  reader: Reader,
  { clock }: Clocked,
  actorId: string,
): Promise<{ items: Admin[] }> {
  const { rows } = await sql<AdminRow>`
    SELECT person.id, person.name, person.email, person.two_factor_enabled,
           coalesce(session.last_seen_at, person.last_login_at) AS last_active_at, session.sessions
      FROM app_user AS person
     CROSS JOIN LATERAL (
       SELECT max(last_seen_at) AS last_seen_at,
              count(*) FILTER (WHERE expires_at > ${clock.now()})::integer AS sessions
         FROM auth_session WHERE user_id = person.id) AS session
     WHERE person.role = 'admin' AND person.deactivated_at IS NULL
     ORDER BY person.name, person.id`.execute(reader);
  const { people } = await readSecondPeople(reader);
  const waits = new Map(people.map(({ id, from }) => [id, from]));
  return {
    items: rows.map(({ twoFactorEnabled, lastActiveAt, ...row }) => ({
      ...row,
      secondPersonFrom: waits.get(row.id)?.toISOString() ?? null,
      isMe: row.id === actorId,
      isByAnother: hasOther(people, { personId: row.id, proposerId: actorId }),
      hasTwoFactor: twoFactorEnabled,
      lastActiveAt: lastActiveAt?.toISOString() ?? null,
    })),
  };
}

/** Status of an invite at a moment. */
export function inviteStatusOf(
  row: { redeemedAt: Date | null; revokedAt: Date | null; expiresAt: Date },
  now: Date,
): InviteStatus {
  if (row.redeemedAt !== null) return 'used';
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt > now ? 'waiting' : 'expired';
}

/** Invites, the newest first. They are deleted some months after their end. */
export async function listInvites(
  reader: Reader,
  { clock }: Clocked,
  actorId: string,
): Promise<RouteReply<'adminListInvites'>> {
  const rows = await reader
    .selectFrom('adminInvite')
    .leftJoin('appUser as creator', 'creator.id', 'adminInvite.createdBy')
    .leftJoin('appUser as redeemer', 'redeemer.id', 'adminInvite.redeemedBy')
    .select(['adminInvite.id', 'adminInvite.email', 'adminInvite.createdAt', 'expiresAt'])
    .select(['redeemedAt', 'revokedAt', 'creator.name as createdBy', 'redeemer.name as usedBy'])
    .orderBy('adminInvite.createdAt', 'desc')
    .orderBy('adminInvite.id', 'desc')
    .limit(INVITES_SHOWN)
    .execute();
  const now = clock.now();
  const refusal = await refusalOfInvites(reader, actorId);
  return {
    refusal: refusal?.message ?? null,
    items: rows.map(({ redeemedAt, revokedAt, createdAt, expiresAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      status: inviteStatusOf({ redeemedAt, revokedAt, expiresAt }, now),
    })),
  };
}
