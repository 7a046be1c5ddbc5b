import { sql } from 'kysely';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** The newest audit row of those actions about each person. */
function newest(actions: readonly string[]) {
  return sql`(SELECT DISTINCT ON (person_id) person_id, action, actor_id, actor_role
                FROM audit_event
               WHERE action = ANY (${actions}::text[]) AND person_id IS NOT NULL
               ORDER BY person_id, id DESC)`;
}

/** Of these there is one for everybody who was accepted, by an admin or the system. */
const ACCEPTING = ['user.created', 'person.accepted', 'invite.redeemed'];

/**
 * That whoever can decide was made an admin by an invite and is one still, that whoever is paid was
 * accepted, and that whoever is shut out was, and nobody else.
 */
export const peopleChecks: readonly ScopedCheck[] = [
  {
    name: 'admin-role',
    query: () =>
      faulty({
        id: sql`person.id`,
        from: sql`app_user AS person
          LEFT JOIN ${newest(['invite.redeemed', 'admin.revoked'])} AS made
            ON made.person_id = person.id`,
        where: sql`person.role = 'admin' OR made.action = 'invite.redeemed'`,
        faults: [
          [
            sql`person.role = 'admin' AND made.action IS NULL`,
            'is an admin and redeemed no invite',
          ],
          [
            sql`person.role = 'admin' AND made.action = 'admin.revoked'`,
            'is an admin; the newest record takes the rights away',
          ],
          [sql`person.role <> 'admin'`, 'redeemed an invite and is no admin; no record says why'],
        ],
      }),
  },
  {
    name: 'person-acceptance',
    query: () =>
      faulty({
        id: sql`person.id`,
        from: sql`app_user AS person
          LEFT JOIN ${newest(ACCEPTING)} AS accepted ON accepted.person_id = person.id`,
        where: sql`(person.accepted_at IS NULL) <> (accepted.action IS NULL)
                OR (accepted.action = 'person.accepted' AND accepted.actor_id = person.id)`,
        faults: [
          [sql`accepted.action IS NULL`, 'is accepted; there is no record of that'],
          [sql`person.accepted_at IS NULL`, 'is an applicant; its record says it was accepted'],
          [sql`true`, 'accepted itself'],
        ],
      }),
  },
  {
    name: 'person-standing',
    query: () =>
      faulty({
        id: sql`person.id`,
        from: sql`app_user AS person
          LEFT JOIN ${newest(['person.deactivated', 'person.reactivated'])} AS standing
            ON standing.person_id = person.id`,
        where: sql`(person.deactivated_at IS NOT NULL)
                   <> (coalesce(standing.action, '') = 'person.deactivated')
                OR standing.actor_id = person.id`,
        faults: [
          [sql`standing.actor_id = person.id`, 'was deactivated or reactivated by itself'],
          [sql`person.deactivated_at IS NULL`, 'is active; its newest record deactivates it'],
          [sql`true`, 'is deactivated; there is no record of that'],
        ],
      }),
  },
  {
    name: 'payouts-frozen',
    query: () =>
      faulty({
        id: sql`person.id`,
        from: sql`app_user AS person
          LEFT JOIN ${newest(['payouts.frozen', 'payouts.released'])} AS latest
            ON latest.person_id = person.id`,
        where: sql`(person.payouts_frozen_at IS NOT NULL)
                   <> (coalesce(latest.action, '') = 'payouts.frozen')
                OR (latest.action = 'payouts.released' AND latest.actor_id = person.id)`,
        faults: [
          [
            sql`latest.actor_id = person.id AND latest.action = 'payouts.released'`,
            'released itself',
          ],
          [
            sql`person.payouts_frozen_at IS NULL`,
            'is paid out; its newest record freezes its payouts',
          ],
          [sql`true`, 'is frozen; there is no record of that'],
        ],
      }),
  },
];
