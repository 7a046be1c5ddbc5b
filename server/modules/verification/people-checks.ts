import { sql } from 'kysely';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { fact, isoTime, newestCheck } from './records.ts';

const table = 'app_user';
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
      ...['kyc.application_submitted', 'kyc.moved_to_review', 'kyc.rejected'],
      ...['kyc.resubmission_requested', 'kyc.application_started', 'kyc.reopened_for_name'],
    ],
    faults: [
      [
        `newest.action = 'kyc.approved'
           AND (${BY_ITSELF.replace('.id', '.user_id')} OR newest.actor_id IS DISTINCT FROM thing.decided_by)`,
        'was approved by %s; its newest record says %s',
        ...['thing.decided_by', 'newest.actor_id'],
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
