import { sql } from 'kysely';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { changed, fact, isoTime, newestCheck } from './records.ts';
import type { Facts } from './records.ts';

const table = 'app_user';
/** Hashes of what a person signs in with, as its records name them. */
const SIGN_IN_HASHES: Facts = Object.fromEntries(
  ['addressHash', 'passwordHash', 'secondFactorHash', 'passkeysHash'].map((name) => [
    name,
    `thing.hashes ->> '${name}'`,
  ]),
);
const BY_ITSELF = 'newest.actor_id = thing.id';

/**
 * The checks that everybody who can decide became an admin by an invite and is one still, that everybody who is paid
 * was accepted, and that those who are locked out were, and nobody else.
 */
export const peopleChecks: readonly ScopedCheck[] = [
  newestCheck({
    name: 'admin-role',
    table,
    state: `thing.role = 'admin'`,
    is: 'an admin',
    begins: ['invite.redeemed'],
    ends: ['admin.revoked'],
  }),
  newestCheck({
    name: 'person-acceptance',
    table,
    state: 'thing.accepted_at IS NOT NULL',
    is: 'accepted',
    // There is one of these for everybody who was accepted, by an admin or the system.
    begins: ['user.created', 'person.accepted', 'invite.redeemed'],
    faults: [[`newest.action = 'person.accepted' AND ${BY_ITSELF}`, 'accepted itself']],
  }),
  newestCheck({
    name: 'person-standing',
    table,
    state: 'thing.deactivated_at IS NOT NULL',
    is: 'deactivated',
    begins: ['person.deactivated'],
    ends: ['person.reactivated'],
    faults: [[BY_ITSELF, 'was deactivated or reactivated by itself']],
  }),
  newestCheck({
    name: 'identity-approved',
    table: 'kyc_application',
    state: `thing.status = 'approved'`,
    is: 'approved',
    begins: ['kyc.approved'],
    ends: [
      'kyc.application_submitted',
      'kyc.moved_to_review',
      'kyc.rejected',
      'kyc.resubmission_requested',
      'kyc.application_started',
      'kyc.reopened_for_name',
    ],
    faults: [
      [
        `newest.action = 'kyc.approved'
           AND (${BY_ITSELF.replace('.id', '.user_id')} OR newest.actor_id IS DISTINCT FROM thing.decided_by)`,
        'was approved by %s; its newest record says %s',
        'thing.decided_by',
        'newest.actor_id',
      ],
    ],
  }),
  {
    name: 'second-person-wait',
    query: () =>
      faulty({
        id: 'event.subject_id',
        from: sql`audit_event AS event
          CROSS JOIN LATERAL jsonb_array_elements_text(event.details -> 'causes') AS cause (id)
          LEFT JOIN second_person_wait AS wait
            ON wait.user_id = event.subject_id AND coalesce(wait.caused_by::text, '') = cause.id
           AND ${sql.raw(isoTime('wait.since'))} = ${sql.raw(fact('event', 'at'))}`,
        // The setting is 30 days at most; rows are kept for a day longer. One of the demo began long before its
        // record.
        where: `event.subject_type = 'second_person' AND event.details ? 'at'
                AND event.at > now() - interval '30 days'
                AND (${fact('event', 'at')})::timestamptz > now() - interval '30 days'`,
        faults: [
          [
            'wait.id IS NULL',
            'has a record of waiting since %s to be a second person, and does not',
            fact('event', 'at'),
          ],
        ],
      }),
  },
  {
    name: 'sign-in',
    query: (scope) =>
      faulty({
        id: 'thing.id',
        // Each run compares administrators and those of whom something was recorded, as when they sign in. OFFSET 0
        // keeps the hashes from being made once for each that is compared.
        from: sql`(
          SELECT state.id, state.hashes FROM sign_in_state AS state JOIN app_user AS person USING (id)
           WHERE person.role = 'admin' OR ${scope.app_user('person.id')} OFFSET 0) AS thing
          CROSS JOIN LATERAL (
            SELECT details FROM audit_event
             WHERE subject_type = 'user' AND subject_id = thing.id AND details ? 'passwordHash'
             ORDER BY id DESC LIMIT 1) AS newest`,
        where: 'true',
        faults: [changed('newest', SIGN_IN_HASHES)],
      }),
  },
  {
    name: 'also-employee',
    query: () =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing LEFT JOIN (
          SELECT DISTINCT ON (person_id) person_id, details FROM audit_event
           WHERE subject_type = 'invite' AND action = 'invite.redeemed'
           ORDER BY person_id, id DESC) AS newest ON newest.person_id = thing.id`,
        where: 'newest.person_id IS NOT NULL OR thing.is_also_employee',
        faults: [
          [
            `CASE WHEN newest.person_id IS NULL THEN 'false' ELSE ${fact('newest', 'isAlsoEmployee')} END
               <> thing.is_also_employee::text`,
            '%s an employee as well as an admin, otherwise than the invite recorded',
            `CASE WHEN thing.is_also_employee THEN 'is' ELSE 'is not' END`,
          ],
        ],
      }),
  },
  {
    name: 'data-key',
    query: () =>
      faulty({
        id: 'thing.user_id',
        from: 'data_key AS thing',
        where: `thing.destroyed_at IS NOT NULL AND NOT EXISTS (
          SELECT FROM audit_event
           WHERE subject_type = 'user' AND subject_id = thing.user_id AND action = 'person.key_destroyed')`,
        faults: [['true', 'was destroyed without a record']],
      }),
  },
  newestCheck({
    name: 'payouts-frozen',
    table,
    state: 'thing.payouts_frozen_at IS NOT NULL',
    is: 'frozen',
    begins: ['payouts.frozen'],
    ends: ['payouts.released'],
    faults: [[`newest.action = 'payouts.released' AND ${BY_ITSELF}`, 'released itself']],
  }),
];
