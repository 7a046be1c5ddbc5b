import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { idleSince, standingOf } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

interface PersonRow {
  id: string;
  name: string;
  email: string;
  role: Role;
  isEmployee: boolean;
  employeeNumber: string | null;
  acceptedAt: Date | null;
  deactivatedAt: Date | null;
  standingReason: string | null;
  payoutsFrozenAt: Date | null;
  twoFactorEnabled: boolean;
  mailStoppedAt: Date | null;
  sessions: number;
  withdrawals: number;
  heldMinor: bigint;
  deposits: number;
  bills: number;
  billsHeldMinor: bigint;
  bankAccounts: number;
}

/**
 * Standing of a person, and their things in progress.
 *
 * @throws {AppError} `person_not_found`
 */
export async function getPerson(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  id: string,
): Promise<RouteReply<'adminGetPerson'>> {
  const settings = await readSettings(reader);
  const { currency } = settings;
  const now = clock.now();
  const { rows } = await sql<PersonRow>`
    SELECT id, name, email, role, is_employee, employee_number, accepted_at, deactivated_at, standing_reason,
           payouts_frozen_at, two_factor_enabled,
           (SELECT since FROM mail_suppression WHERE email = person.email) AS mail_stopped_at,
           (SELECT count(*)::int FROM auth_session
             WHERE user_id = person.id AND expires_at > ${now}
               AND last_seen_at >= CASE role WHEN 'admin' THEN ${idleSince(settings, 'admin', now)}::timestamptz
                                   ELSE ${idleSince(settings, 'employee', now)}::timestamptz END)
             AS sessions,
           open.withdrawals, open.held_minor, held.bills, held.bills_held_minor,
           (SELECT count(*)::int FROM deposit
             WHERE user_id = person.id AND status = 'pending') AS deposits,
           (SELECT count(*)::int FROM bank_account
             WHERE user_id = person.id AND status = 'pending' AND removed_at IS NULL)
             AS bank_accounts
      FROM app_user AS person,
           LATERAL (SELECT count(*)::int AS withdrawals,
                           coalesce(sum(amount_minor), 0)::bigint AS held_minor
                      FROM withdrawal
                     WHERE user_id = person.id
                       AND status IN ('pending', 'approved', 'processing')) AS open,
           LATERAL (SELECT count(*)::int AS bills,
                           coalesce(sum(amount_minor), 0)::bigint AS bills_held_minor
                      FROM bill
                     WHERE user_id = person.id AND status IN ('scheduled', 'due', 'sent')) AS held
     WHERE id = ${id}`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new AppError('person_not_found');
  const { role } = row;
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role,
    isEmployee: row.isEmployee,
    employeeId: row.isEmployee ? row.employeeNumber : null,
    standing: standingOf(row),
    deactivatedAt: row.deactivatedAt?.toISOString() ?? null,
    reason: row.standingReason,
    payoutsFrozenAt: row.payoutsFrozenAt?.toISOString() ?? null,
    payoutsFrozen: row.payoutsFrozenAt === null ? null : await lastFreeze(reader, id),
    hasTwoFactor: row.twoFactorEnabled,
    mailStoppedAt: row.mailStoppedAt?.toISOString() ?? null,
    sessions: row.sessions,
    inProgress: {
      withdrawals: row.withdrawals,
      held: money(row.heldMinor, currency),
      deposits: row.deposits,
      bills: row.bills,
      billsHeld: money(row.billsHeldMinor, currency),
      bankAccounts: row.bankAccounts,
    },
  };
}

/** The admin who froze a person's payouts last, and the reason, as recorded. */
async function lastFreeze(
  reader: Reader,
  id: string,
): Promise<{ by: string | null; reason: string | null }> {
  const { rows } = await sql<{ by: string | null; reason: string | null }>`
    SELECT actor.name AS by, event.details ->> 'reason' AS reason
      FROM audit_event AS event LEFT JOIN app_user AS actor ON actor.id = event.actor_id
     WHERE event.person_id = ${id} AND event.action = 'payouts.frozen'
     ORDER BY event.id DESC LIMIT 1`.execute(reader);
  return rows[0] ?? { by: null, reason: null };
}
