import type { ScopedCheck } from './check.ts';
import { newestCheck } from './records.ts';

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
