import type { Reader } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';

/** Payments of one transaction, as of a payroll: a person whose wallet is among them waits a second at most. */
export const CHUNK_PAYMENTS = 1_000;

/** A chunk takes some seconds where the machine is busy: longer than other requests. */
export const CHUNK_TIMEOUT_MS = 120_000;

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
