import { pendingRows } from '#server/db/pending-rows.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditBy } from '#server/lib/actor.ts';

const MAX_USER_AGENT_LENGTH = 300;

export interface AuditEntry {
  by: AuditBy;
  /** Verb and thing, past tense: `withdrawal.approved`. */
  action: string;
  subjectType: string;
  subjectId: string | null;
  /** The person it concerns, who may see it; left out where it is nobody's. */
  personId?: string | null;
  /** Field names and masked values; never the value of a personal field. */
  details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/**
 * Writes one row of the audit trail in the transaction of the change it tells about: one row a
 * command, however many lines the command touched. Where the request came from is kept apart from the
 * record, so that it can be erased. Both are written with the COMMIT.
 */
export function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { actor, origin } = entry.by;
  const isPerson = typeof actor === 'object';
  const { audits, origins } = pendingRows(tx);
  audits.push({
    actor_id: isPerson ? actor.id : null,
    actor_role: isPerson ? actor.role : actor,
    action: entry.action,
    subject_type: entry.subjectType,
    subject_id: entry.subjectId,
    person_id: entry.personId ?? null,
    details: entry.details ?? {},
    request_id: origin?.requestId ?? null,
  });
  if (origin !== undefined) {
    origins.set(origin.requestId, {
      request_id: origin.requestId,
      ip_address: origin.ipAddress,
      user_agent: origin.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    });
  }
  return Promise.resolve();
}
