import type { AuditRole, AuditSubject } from '#contract/audit.ts';
import { CompiledQuery } from 'kysely';
import { writtenAtCommit } from '#server/db/tx.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { addWebhookMessages } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';

const MAX_USER_AGENT_LENGTH = 300;

export interface AuditEntry {
  by: AuditContext;
  /** Thing and verb, past tense: `withdrawal.approved`. */
  action: string;
  subjectType: AuditSubject;
  subjectId: string | null;
  /** Id of the person it concerns, who may see it; omitted if it concerns nobody in particular. */
  personId?: string | null;
  /**
   * Field names and masked values. Never the value of a personal field, except a name that was
   * corrected.
   */
  details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /**
   * True if the row has hashes of how the person signs in, as the transaction leaves it. The transaction locks the
   * person first (`lockUser`): of two concurrent changes each record would leave out the other.
   */
  changesSignIn?: boolean;
}

/**
 * Records one event of the audit trail in the transaction of the change: one row for each command,
 * however many lines the command changed. The origin of the request is in a table of its own, so
 * that it can be erased. Both are written with the COMMIT, and so are the messages to webhooks that
 * subscribed to this act.
 */
export function recordAudit(tx: Tx, entry: AuditEntry): void {
  addAudit(tx, entry);
  addWebhookMessages(tx, entry);
}

/** Entries about one thing that the transaction has recorded and not yet written, oldest first. */
export function unwrittenEntries(
  reader: Reader,
  subject: { type: AuditSubject; id: string },
): readonly AuditEntry[] {
  return addAudit
    .waiting(reader)
    .filter(
      ({ subjectType, subjectId }) => subjectType === subject.type && subjectId === subject.id,
    );
}

const addAudit = writtenAtCommit<AuditEntry>('audit_event', (entries) =>
  CompiledQuery.raw(WRITE, [
    JSON.stringify(entries.map(rowOf)),
    JSON.stringify(originsOf(entries)),
  ]),
);

const WRITE = `
  WITH audit AS (
    INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id, person_id,
                             details, request_id)
    SELECT actor_id, actor_role, action, subject_type, subject_id, person_id,
           CASE WHEN changes_sign_in THEN details || coalesce((SELECT hashes FROM sign_in_state WHERE id = person_id), '{}')
                ELSE details END,
           request_id
      FROM json_to_recordset($1::json)
      AS one (actor_id uuid, actor_role text, action text, subject_type text, subject_id uuid,
              person_id uuid, details jsonb, request_id text, changes_sign_in boolean)
    RETURNING id, request_id
  )
  INSERT INTO audit_origin (audit_event_id, ip_address, user_agent)
  SELECT audit.id, one.ip_address, one.user_agent
    FROM audit JOIN json_to_recordset($2::json)
      AS one (request_id text, ip_address text, user_agent text) USING (request_id)`;

function rowOf({ by: { actor, origin }, ...entry }: AuditEntry): object {
  const isPerson = typeof actor === 'object';
  const apiKey = isPerson ? actor.apiKey : undefined;
  const role = isPerson ? actor.role : actor;
  return {
    actor_id: isPerson ? actor.id : null,
    actor_role: (apiKey === undefined ? role : 'apiKey') satisfies AuditRole,
    action: entry.action,
    subject_type: entry.subjectType,
    subject_id: entry.subjectId,
    person_id: entry.personId ?? null,
    details: { ...entry.details, ...(apiKey && { apiKey: apiKey.name, apiKeyId: apiKey.id }) },
    request_id: origin?.requestId ?? null,
    changes_sign_in: entry.changesSignIn === true,
  };
}

/** Origins of the entries' requests: one row for each request. */
function originsOf(entries: readonly AuditEntry[]): object[] {
  const origins = entries.flatMap(({ by: { origin } }) => (origin === undefined ? [] : [origin]));
  return [...new Map(origins.map((origin) => [origin.requestId, origin])).values()].map(
    ({ requestId, ipAddress, userAgent }) => ({
      request_id: requestId,
      ip_address: ipAddress,
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    }),
  );
}
