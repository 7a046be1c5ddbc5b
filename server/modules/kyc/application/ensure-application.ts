import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Begins an employee's first application; does nothing where there is any, also a rejected one.
 * Runs after sign-up and at every sign-in, possibly twice at once.
 */
export async function ensureApplication(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  userId: string,
): Promise<void> {
  const now = services.clock.now();
  const { rows } = await sql<{ id: string }>`
    insert into kyc_application (id, user_id, created_at, updated_at)
    select ${newId(now.getTime())}, ${userId}, ${now}, ${now}
     where not exists (select from kyc_application where user_id = ${userId})
    on conflict (user_id) where status <> 'rejected' do nothing
    returning id
  `.execute(tx);
  const [application] = rows;
  if (application === undefined) return;
  recordAudit(tx, {
    by: { actor: 'system' },
    action: 'kyc.application_started',
    subjectType: 'kyc_application',
    subjectId: application.id,
    personId: userId,
  });
}
