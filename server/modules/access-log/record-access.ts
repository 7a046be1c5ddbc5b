import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';

/**
 * An open screen requests the data again whenever something changes. That is one access, not many.
 */
const ONE_ACCESS = sql`interval '5 minutes'`;

/** Records that an admin looked at a person's information, at most once in five minutes. */
export async function recordAccess(
  tx: Tx,
  by: CommandContext,
  entry: Omit<AuditEntry, 'by' | 'subjectId'> & { subjectId: string },
): Promise<void> {
  const { action, subjectType, subjectId, details = {} } = entry;
  const recent = await tx
    .selectFrom('auditEvent')
    .select('id')
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .where('actorId', '=', by.actor.id)
    // Documents without an id of their own, for example statements, differ in their details.
    .where(sql<boolean>`details @> ${JSON.stringify(details)}::jsonb`)
    // The trail stores the database's own time.
    .where('at', '>', sql<Date>`clock_timestamp() - ${ONE_ACCESS}`)
    .limit(1)
    .executeTakeFirst();
  if (recent === undefined) recordAudit(tx, { by, ...entry });
}
