import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Begins the first application of each of these employees; does nothing for who has any, also a
 * rejected one. Runs for people who join and at every sign-in, possibly twice concurrently.
 */
export async function ensureApplications(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  userIds: readonly string[],
): Promise<void> {
  const now = services.clock.now();
  const ids = userIds.map(() => newId(now.getTime()));
  const { rows } = await sql<{ id: string; userId: string }>`
    INSERT INTO kyc_application (id, user_id, created_at, updated_at)
    SELECT one.id, one.user_id, ${now}::timestamptz, ${now}
      FROM unnest(${ids}::uuid[], ${userIds}::uuid[]) AS one (id, user_id)
     WHERE NOT EXISTS (SELECT FROM kyc_application WHERE user_id = one.user_id)
    ON CONFLICT (user_id) WHERE status <> 'rejected' DO NOTHING
    RETURNING id, user_id`.execute(tx);
  for (const { id, userId } of rows) {
    recordAudit(tx, {
      by: { actor: 'system' },
      action: 'kyc.application_started',
      subjectType: 'kyc_application',
      subjectId: id,
      personId: userId,
    });
  }
}

/** The same for one. */
export async function ensureApplication(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  userId: string,
): Promise<void> {
  await ensureApplications(tx, services, [userId]);
}
