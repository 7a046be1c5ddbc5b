import { sql } from 'kysely';
import type { AuditEvent, AuditEventDetails } from '#contract/api.ts';
import type { AuditRole } from '#contract/audit.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

/** A record with what its ids stand for. */
export interface AuditRow {
  id: string;
  at: Date;
  role: AuditRole;
  actorId: string | null;
  actorName: string | null;
  action: string;
  subjectType: string;
  subjectId: string | null;
  subject: string | null;
  personId: string | null;
  personName: string | null;
  details: AuditEvent['details'];
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
}

/** Records by their numbers, in any order. Each join is by a primary key. */
export async function readAuditRows(reader: Reader, ids: readonly string[]): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    SELECT event.id::text AS id, event.at, event.actor_role AS role, event.actor_id,
           actor.name AS actor_name, event.action, event.subject_type, event.subject_id,
           coalesce(withdrawal.reference, deposit.reference, batch.number, subject.name) AS subject,
           event.person_id, person.name AS person_name, event.details, origin.ip_address,
           origin.user_agent, event.request_id
      FROM audit_event AS event
      LEFT JOIN app_user AS actor ON actor.id = event.actor_id
      LEFT JOIN app_user AS person ON person.id = event.person_id
      LEFT JOIN app_user AS subject
             ON subject.id = event.subject_id AND event.subject_type IN ('user', 'app_user')
      LEFT JOIN withdrawal
             ON withdrawal.id = event.subject_id AND event.subject_type = 'withdrawal'
      LEFT JOIN deposit ON deposit.id = event.subject_id AND event.subject_type = 'deposit'
      LEFT JOIN payroll_batch AS batch
             ON batch.id = event.subject_id AND event.subject_type = 'payroll_batch'
      LEFT JOIN audit_origin AS origin ON origin.audit_event_id = event.id
     WHERE event.id = ANY (${ids}::bigint[])`.execute(reader);
  return rows;
}

export function presentAuditEvent(row: AuditRow): AuditEvent {
  const named = (id: string | null, name: string | null) =>
    id === null ? null : { id, name: name ?? 'Unknown' };
  return {
    id: row.id,
    at: row.at.toISOString(),
    role: row.role,
    by: named(row.actorId, row.actorName),
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    subject: row.subject,
    person: named(row.personId, row.personName),
    details: row.details,
    ipAddress: row.ipAddress,
  };
}

/**
 * One record, with where it came from and the block that seals it.
 *
 * @throws {AppError} `audit_event_not_found`
 */
export async function getAuditEvent(reader: Reader, id: string): Promise<AuditEventDetails> {
  const [row] = await readAuditRows(reader, [id]);
  if (row === undefined) throw new AppError('audit_event_not_found');
  const { rows: seals } = await sql<{ height: string }>`
    SELECT height::text AS height FROM audit_seal WHERE audit_event_id = ${id}`.execute(reader);
  return {
    ...presentAuditEvent(row),
    userAgent: row.userAgent,
    requestId: row.requestId,
    block: seals[0]?.height ?? null,
  };
}
