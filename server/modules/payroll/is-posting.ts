import type { Db } from '#server/db/tx.ts';

/** A batch whose last chunk is longer ago is not being posted: its process was killed, say. */
const CHUNK_TIMEOUT_MS = 10_000;

/** Whether a batch is being paid at this moment, by any process. */
export async function isPostingPayroll(db: Db, now: Date): Promise<boolean> {
  const posting = await db
    .selectFrom('payrollBatch')
    .select('id')
    .where('status', '=', 'processing')
    .where('updatedAt', '>', new Date(now.getTime() - CHUNK_TIMEOUT_MS))
    .executeTakeFirst();
  return posting !== undefined;
}
