import { sql } from 'kysely';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** That whoever can decide was made an admin by an invite. */
export const peopleChecks: readonly ScopedCheck[] = [
  {
    name: 'admin-role',
    query: () =>
      faulty({
        id: sql`person.id`,
        from: sql`app_user AS person
          LEFT JOIN (SELECT DISTINCT actor_id FROM audit_event
                      WHERE action = 'invite.redeemed' AND subject_type = 'invite') AS redeemed
            ON redeemed.actor_id = person.id`,
        where: sql`person.role = 'admin' AND person.deactivated_at IS NULL`,
        faults: [[sql`redeemed.actor_id IS NULL`, 'is an admin and redeemed no invite']],
      }),
  },
];
