import type { AdminDashboard } from '#contract/api.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { Clock } from '#server/lib/clock.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { recordAudit } from '#server/modules/audit/index.ts';

type Drill = NonNullable<AdminDashboard['systemHealth']['restoreDrill']>;

interface EndedDrill {
  /** Time of the newest transaction in the restored books; null: there was none. */
  lastTransactionAt: Date | null;
  /** Sealed blocks that the backup lacks. */
  lostBlocks: number;
  isSound: boolean;
}

/** Records the trial of a backup. The connection is that of the database's owner, who alone may. */
export async function recordRestoreDrill(tx: Tx, drill: EndedDrill): Promise<void> {
  const { id } = await tx
    .insertInto('restoreDrill')
    .values(drill)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { lostBlocks, isSound } = drill;
  recordAudit(tx, {
    by: { actor: 'system' },
    action: 'books.restore_tried',
    subjectType: 'company_settings',
    subjectId: null,
    details: { drill: id.toString(), lostBlocks, isSound },
  });
}

/** The last trial of a backup; null when there was none. */
export async function lastRestoreDrill(reader: Reader): Promise<Drill | null> {
  const row = await reader
    .selectFrom('restoreDrill')
    .select(['endedAt', 'lastTransactionAt', 'isSound'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    at: row.endedAt.toISOString(),
    lastTransactionAt: row.lastTransactionAt?.toISOString() ?? null,
    isSound: row.isSound,
  };
}

/**
 * The time of the last trial, where money has moved and no backup was tried for long, or the last trial failed; null where
 * all is well. A company whose books are empty has nothing to lose yet.
 */
export async function missingRestoreDrill(
  reader: Reader,
  { clock }: { clock: Clock },
): Promise<{ since: Date | null } | null> {
  const last = await lastRestoreDrill(reader);
  const oldest = clock.now().getTime() - LIMITS.verify.drillWithinMs;
  if (last !== null && last.isSound && Date.parse(last.at) >= oldest) return null;
  const moved = await reader
    .selectFrom('ledgerTransaction')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (moved === undefined) return null;
  return { since: last === null ? null : new Date(last.at) };
}
