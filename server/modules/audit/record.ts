import type { Tx } from '#server/db/tx.ts';
import type { AuditActor } from '#server/lib/actor.ts';

export interface AuditEntry {
  actor: AuditActor;
  /** Verb and thing, past tense: `withdrawal.approved`. */
  action: string;
  subjectType: string;
  subjectId: string | null;
  /** The person it concerns, who may see it; left out where it is nobody's. */
  personId?: string | null;
  /** Field names and masked values; never the value of a personal field. */
  details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** From the request; kept apart from the record so that it can be erased. */
  origin?: { ipAddress: string | null; userAgent: string | null; requestId: string };
}

/**
 * Writes one row of the audit trail in the transaction of the change it tells about: one row a
 * command, however many lines the command touched.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const isPerson = typeof entry.actor === 'object';
  const { id } = await tx
    .insertInto('auditEvent')
    .values({
      actorId: isPerson ? entry.actor.id : null,
      actorRole: isPerson ? entry.actor.role : entry.actor,
      action: entry.action,
      subjectType: entry.subjectType,
      subjectId: entry.subjectId,
      personId: entry.personId ?? null,
      details: JSON.stringify(entry.details ?? {}),
      requestId: entry.origin?.requestId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (entry.origin === undefined) return;
  await tx
    .insertInto('auditOrigin')
    .values({
      auditEventId: id,
      ipAddress: entry.origin.ipAddress,
      userAgent: entry.origin.userAgent?.slice(0, 300) ?? null,
    })
    .execute();
}
