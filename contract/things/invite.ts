import { INVITE_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Invite that makes a person an administrator. Only a hash of its token is kept. */
export const invite = defineThing({
  name: 'invite',
  isOfCompany: true,
  keepsMoments: true,
  statuses: INVITE_STATUSES,
  topic: 'people',
  movesMoney: false,
  refusals: { notFound: 'invite_not_found', wrongStatus: 'invite_not_waiting' },
  acts: {
    create: {
      by: 'anyAdmin',
      from: [],
      to: 'waiting',
      past: 'created',
      words: 'Admin invite made',
      operation: 'adminCreateInvite',
      hasForm: true,
      toAdmins: {
        kind: 'administrator-invited',
        message: '{actor} created an invite for {invited}.',
      },
    },
    /** Creates an invite by a command on the server. Nobody is notified. */
    createByCommand: {
      by: 'system',
      from: [],
      to: 'waiting',
      past: 'created',
      words: 'Admin invite made',
    },
    /** Makes its holder an administrator, by `acceptInvite` or `redeemInvite`. */
    redeem: {
      by: 'owner',
      from: ['waiting'],
      to: 'used',
      past: 'redeemed',
      words: 'Became an administrator',
      toAdmins: {
        kind: 'new-administrator',
        message: '{actor} became an administrator with an invite.',
      },
    },
    revoke: {
      by: 'anyAdmin',
      from: ['waiting'],
      to: 'revoked',
      past: 'revoked',
      words: 'Admin invite revoked',
      operation: 'adminRevokeInvite',
      offer: {
        label: 'Revoke',
        kind: 'danger',
        title: 'Revoke this invite?',
        consequence: 'Its link can no longer be used.',
        pending: 'Revoking',
        done: 'Invite Revoked',
      },
    },
    /** Follows where its maker no longer is an administrator, or others got into their account. */
    endWithMaker: {
      by: 'system',
      from: ['waiting'],
      to: 'revoked',
      past: 'revoked',
      words: 'Admin invite revoked',
      live: {},
    },
    /** Follows from the time alone. Nothing records it. */
    expire: { by: 'system', from: ['waiting'], to: 'expired', past: 'expired', did: null },
  },
});
