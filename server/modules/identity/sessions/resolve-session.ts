import { sql } from 'kysely';
import { BACKGROUND_HEADER } from '#contract/identity.ts';
import { CONFIRMATION_MINUTES } from '#contract/limits.ts';
import { prepared } from '#server/db/statement-names.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Identity } from '../identity.ts';
import { actorOf } from '#server/lib/actor.ts';
import type { UserRow } from '../present.ts';
import { browserKeyOf, sessionHashOf } from './cookies.ts';
import { endOfFirstWeek } from './known-places.ts';

const MINUTE_MS = 60_000;

export interface ResolvedSession {
  actor: Actor;
  sessionId: string;
  /** True if the user of the session showed within CONFIRMATION_MINUTES, in this browser, who they are. */
  isConfirmed: boolean;
  hasTwoFactor: boolean;
  /** End of the first week of a browser that is new for the user; null for one that is not. */
  newBrowserUntil: Date | null;
  /** An admin whose company requires two-factor, and who has none yet. */
  mustSetUpTwoFactor: boolean;
}

/**
 * The caller, by the request's cookie; null for a visitor. One query, and at most once a minute one
 * more that notes the time.
 *
 * A caller who made no request for the company's idle time, which is one for admins and one for employees,
 * is signed out here, up to a minute early. A request counts as activity unless it says it runs in the background (BACKGROUND_HEADER)
 * or the caller says so.
 *
 * @param options.isActivity false for what a screen asks by itself: getSession, the event stream
 */
export async function resolveSession(
  identity: Identity,
  headers: Headers,
  options: { isActivity?: boolean } = {},
): Promise<ResolvedSession | null> {
  const tokenHash = sessionHashOf(identity, headers);
  if (tokenHash === null) return null;
  const now = identity.services.clock.now();
  const { rows } = await sql<SessionRow>`select ${prepared}
      app_user.id, name, role, is_also_employee, auth_session.id AS session_id, last_seen_at, confirmed_at, confirmed_in,
      browser, browser_new_until,
      two_factor_enabled, require_admin_two_factor, admin_idle_minutes, employee_idle_minutes
      FROM auth_session JOIN app_user ON app_user.id = auth_session.user_id, company_settings
     WHERE token_hash = ${tokenHash} AND auth_session.expires_at > ${now}
       AND app_user.deactivated_at IS NULL`.execute(identity.db);
  const [row] = rows;
  if (row === undefined) return null;
  const actor = actorOf(row);
  const unseenMs = now.getTime() - row.lastSeenAt.getTime();
  const idleMinutes = actor.role === 'admin' ? row.adminIdleMinutes : row.employeeIdleMinutes;
  if (unseenMs > idleMinutes * MINUTE_MS) {
    await endIdleSession(identity, actor, row.sessionId);
    return null;
  }
  const isActivity = options.isActivity !== false && !headers.has(BACKGROUND_HEADER);
  if (isActivity && unseenMs >= MINUTE_MS) {
    await withTx(identity.db, (tx) =>
      tx
        .updateTable('authSession')
        .set({ lastSeenAt: now })
        .where('id', '=', row.sessionId)
        .execute(),
    );
  }
  const browser = browserKeyOf(identity, headers);
  return {
    actor,
    sessionId: row.sessionId,
    isConfirmed: isRecent(row.confirmedAt, now) && browser !== null && row.confirmedIn === browser,
    hasTwoFactor: row.twoFactorEnabled,
    newBrowserUntil: newBrowserUntil(row, browser, now),
    mustSetUpTwoFactor:
      actor.role === 'admin' && row.requireAdminTwoFactor && !row.twoFactorEnabled,
  };
}

/** Columns of a session, its user and the company's settings, which are one row. */
interface SessionRow extends Pick<UserRow, 'id' | 'name' | 'role' | 'isAlsoEmployee'> {
  sessionId: string;
  lastSeenAt: Date;
  confirmedAt: Date | null;
  confirmedIn: string | null;
  browser: string | null;
  browserNewUntil: Date | null;
  twoFactorEnabled: boolean;
  requireAdminTwoFactor: boolean;
  adminIdleMinutes: number;
  employeeIdleMinutes: number;
}

/**
 * A browser that the session did not begin in is as new as one can be: somebody took the cookie along. So is any browser
 * of a session that does not say in which one it began.
 */
function newBrowserUntil(row: SessionRow, browser: string | null, now: Date): Date | null {
  if (row.browser === null || row.browser !== browser) return endOfFirstWeek(now);
  const { browserNewUntil: until } = row;
  return until !== null && until > now ? until : null;
}

function isRecent(at: Date | null, now: Date): boolean {
  return at !== null && now.getTime() - at.getTime() < CONFIRMATION_MINUTES * MINUTE_MS;
}

/** Concurrent requests may find it idle; the one that deletes it records that. */
async function endIdleSession(identity: Identity, actor: Actor, sessionId: string): Promise<void> {
  await withTx(identity.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('authSession')
      .where('id', '=', sessionId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const about = { id: sessionId, personId: actor.id };
    record(tx, { actor: 'system' }, 'session.timed_out', about);
  });
}
