import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';

/** Payments of one transaction, as of a payroll: a person whose wallet is among them waits a second at most. */
export const CHUNK_PAYMENTS = 1_000;

/** A chunk takes some seconds where the machine is busy: longer than other requests. */
export const CHUNK_TIMEOUT_MS = 120_000;

/**
 * Does what a decision left, a chunk in each transaction, until there is none.
 *
 * @param chunk does the next one; false if there was nothing to do, or nothing is left
 * @param options.signal stops it after the chunk in progress; the sweep takes it up again
 */
export async function inChunks(
  db: Db,
  chunk: (tx: Tx) => Promise<boolean>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    if (!(await withTx(db, chunk))) return;
  }
}

/** The administrator who decided what is done in chunks; Purser for null. */
export async function deciderOf(reader: Reader, userId: string | null): Promise<AuditContext> {
  if (userId === null) return { actor: 'system' };
  const { id, name } = await reader
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { actor: { id, name, role: 'admin' } };
}
