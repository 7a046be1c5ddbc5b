import type { Tx } from '#server/db/tx.ts';
import type { AuditBy } from '#server/lib/actor.ts';

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
 * record, so that it can be erased.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { actor, origin } = entry.by;
  const isPerson = typeof actor === 'object';
  const { id } = await tx
    .insertInto('auditEvent')
    .values({
      actorId: isPerson ? actor.id : null,
      actorRole: isPerson ? actor.role : actor,
      action: entry.action,
      subjectType: entry.subjectType,
      subjectId: entry.subjectId,
      personId: entry.personId ?? null,
      details: JSON.stringify(entry.details ?? {}),
      requestId: origin?.requestId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (origin === undefined) return;
  await tx
    .insertInto('auditOrigin')
    .values({
      auditEventId: id,
      ipAddress: origin.ipAddress,
      userAgent: origin.userAgent?.slice(0, 300) ?? null,
    })
    .execute();
}
