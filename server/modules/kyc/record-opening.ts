import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';

/** A screen that stays open asks again whenever something changes: that is one opening, not many. */
const ONE_OPENING = sql`interval '5 minutes'`;

/** Records that an admin looked at something of a person's, once for each five minutes of looking. */
export async function recordOpening(
  tx: Tx,
  by: By,
  entry: Omit<AuditEntry, 'by' | 'subjectId'> & { subjectId: string },
): Promise<void> {
  const { action, subjectType, subjectId } = entry;
  const recent = await tx
    .selectFrom('auditEvent')
    .select('id')
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .where('actorId', '=', by.actor.id)
    // The trail keeps the database's own time.
    .where('at', '>', sql<Date>`clock_timestamp() - ${ONE_OPENING}`)
    .limit(1)
    .executeTakeFirst();
  if (recent === undefined) recordAudit(tx, { by, ...entry });
}
