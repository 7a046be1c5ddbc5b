import { STANDINGS } from '../statuses.ts';
import type { Standing } from '../statuses.ts';
import type { ActSpec } from './thing.ts';

/** Readers of a reason that the person is not shown. */
export const FOR_ADMINS = 'Kept for administrators, not shown to the employee';

/** Screens on which a freeze shows: the person's session and payees say if money can leave. */
const FREEZE = {
  past: 'frozen',
  event: 'payouts',
  words: 'Payouts frozen',
  live: { admins: ['people'], owner: ['sessions', 'payments'] },
} as const;

/** Acts on the access of a person: where they are signed in, their second factor, and whether their money can leave. */
export const ACCESS_ACTS = {
  endSessions: {
    by: 'admin',
    from: ['applicant', 'active'],
    past: 'all_ended',
    event: 'session',
    words: 'All sessions ended',
    did: null,
    operation: 'adminEndSessions',
    toOwner: {
      kind: 'sessions-ended',
      title: 'Signed out by an administrator',
      message:
        '{actor} signed you out everywhere. If you do not know why, ask this administrator, and change your password.',
    },
    offer: {
      label: 'End Sessions',
      kind: 'solid',
      title: 'End all sessions?',
      consequence: 'They are signed out everywhere and can sign in again.',
      pending: 'Ending sessions',
      done: 'Sessions Ended',
    },
  },
  resetTwoFactor: {
    by: 'admin',
    from: ['applicant', 'active'],
    past: 'reset',
    event: 'two_factor',
    changesSignIn: true,
    words: 'Two-factor reset',
    did: null,
    operation: 'adminResetTwoFactor',
    toOwner: {
      kind: 'two-factor-reset',
      title: 'Two-factor reset',
      message:
        '{actor} turned your two-factor authentication off. Reason: {reason}. If you did not ask for this, change your password.',
    },
    offer: {
      label: 'Reset Two-Factor',
      kind: 'danger',
      title: 'Reset two-factor',
      consequence:
        'For an employee who lost their phone and recovery codes. They are signed out and can sign in with the password alone until they set up two-factor again.',
      reason: {
        emptyHint: 'Enter a reason to reset it.',
        keep: 'Keep Two-Factor',
        placeholder: 'Sent to the employee',
      },
      pending: 'Resetting',
      done: 'Two-Factor Reset',
    },
  },
  /** "This was not me": no money of the person leaves until an administrator has looked. */
  freezeOwn: {
    ...FREEZE,
    by: 'owner',
    from: STANDINGS,
    did: null,
    toAdmins: {
      kind: 'payouts-frozen',
      message:
        '{actor} reported a change they did not make. Their payouts are frozen until an administrator releases them.',
    },
  },
  /** Follows from the report of a change by a mailed link, of which its own event notifies. */
  freezeReported: { ...FREEZE, by: 'owner', from: STANDINGS, did: null },
  freeze: {
    ...FREEZE,
    by: 'admin',
    from: STANDINGS,
    did: null,
    operation: 'adminFreezePayouts',
    refusal: 'payouts_frozen_already',
    toAdmins: {
      kind: 'payouts-frozen',
      message: '{actor} froze the payouts of {name}. Reason: {reason}',
    },
    offer: {
      label: 'Freeze Payouts',
      kind: 'danger',
      title: 'Freeze payouts',
      consequence: 'No money can leave their accounts until an administrator releases the freeze.',
      reason: {
        emptyHint: 'Enter a reason to freeze.',
        keep: 'Keep Payouts',
        placeholder: FOR_ADMINS,
      },
      pending: 'Freezing',
      done: 'Payouts Frozen',
    },
  },
  release: {
    by: 'admin',
    from: STANDINGS,
    past: 'released',
    event: 'payouts',
    words: 'Payouts released',
    did: null,
    operation: 'adminReleasePayouts',
    refusal: 'payouts_not_frozen',
    live: FREEZE.live,
    toOwner: {
      kind: 'payouts-released',
      message: 'An administrator looked at what you reported. Your payouts are released.',
    },
    offer: {
      label: 'Release Payouts',
      kind: 'solid',
      title: 'Release payouts',
      consequence: 'Their money can leave again. They are notified.',
      reason: {
        emptyHint: 'Enter a reason to release.',
        keep: 'Keep Frozen',
        placeholder: FOR_ADMINS,
        kind: 'solid',
      },
      pending: 'Releasing',
      done: 'Payouts Released',
    },
  },
} as const satisfies Record<string, ActSpec<Standing>>;
