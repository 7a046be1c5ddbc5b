import type { PersonalKind } from '../notification-kinds.ts';
import type { EventNotice, EventSpec } from './event.ts';

const PERSON = { about: 'user' } as const;
/** Events that change how the person signs in. */
const SIGN_IN = { ...PERSON, changesSignIn: true } as const;
/** The same, of which administrators see something. */
const SHOWN_PERSON = { ...SIGN_IN, live: { admins: ['people'] } } as const;
const CALENDAR = { about: 'user', live: { owner: ['notifications'] } } as const;
const PICTURE = { about: 'user', live: { admins: ['people'], owner: ['sessions'] } } as const;
/** The notice of a change to how a person signs in, which whoever uses another's session cannot keep from them. */
function warning<Kind extends PersonalKind>(kind: Kind, what: string): EventNotice<Kind> {
  return { kind, message: `${what}. If this was not you, {advice}.` };
}

const CALENDAR_MADE = warning(
  'calendar-address-made',
  'A private address was created that lets a calendar read your paydays',
);

/** Events of how a person signs in, and of what they show of themselves. */
export const SIGN_IN_EVENTS = {
  // Signing in
  'session.started': {
    ...PERSON,
    words: 'Signed in',
    toOwner: warning(
      'new-sign-in',
      'You signed in with {browser} from {address}, a {news} that we have not seen before',
    ),
  },
  /** Wrong code from a browser that has not signed in to the account before; recorded once within an hour. */
  'session.code_refused': {
    ...PERSON,
    words: 'Wrong code after the right password',
    toOwner: warning(
      'wrong-code',
      'Somebody entered your password and a wrong code with {browser} from {address}',
    ),
  },
  'session.ended': { ...PERSON, words: 'Signed out' },
  'session.timed_out': { about: 'session', words: 'Signed out after inactivity' },
  'session.revoked': { about: 'session', words: 'Session ended' },
  'session.revoked_by_admin': {
    event: 'session.revoked',
    about: 'session',
    toOwner: {
      kind: 'sessions-ended',
      message:
        '{actor} signed you out in one browser. If you do not know why, ask this administrator, and change your password.',
    },
  },
  'session.others_revoked': { ...PERSON, words: 'Other sessions ended' },
  'confirmation.given': { ...PERSON, words: 'Confirmed their identity for a protected action' },
  'confirmation.refused': { ...PERSON, words: 'Failed to confirm it was them' },
  'invite.refused': { ...PERSON, words: 'Admin invite refused' },
  'documents.link_created': {
    ...PERSON,
    words: 'Created a link to the documents of a person who left',
  },
  'documents.link_requested': { ...PERSON, words: 'Requested a link to their documents' },
  'documents.opened': { ...PERSON, words: 'Opened their documents by a link' },

  /** Encrypted again, or from before Purser recorded it. */
  'sign_in.recorded': { ...SIGN_IN, words: 'Recorded how they sign in' },

  // Passwords
  'password.link_created': { ...PERSON, words: 'Created a link to choose a password' },
  'password.reset_requested': { ...PERSON, words: 'Requested a new password' },
  'password.chosen': { ...SIGN_IN, words: 'First password chosen by a link' },
  'password.reset': {
    ...SIGN_IN,
    words: 'Password chosen by a link',
    toOwner: warning(
      'password-changed',
      'A new password was chosen with a link that we mailed, and everyone was signed out',
    ),
  },
  'password.changed': {
    ...SIGN_IN,
    words: 'Password changed',
    toOwner: warning(
      'password-changed',
      'Your password was changed, and everyone signed in with the old one was signed out',
    ),
  },
  'password.change_refused': PERSON,

  // Second factor and passkeys
  'two_factor.set_up': SIGN_IN,
  'two_factor.code_refused': PERSON,
  'two_factor.password_refused': PERSON,
  'two_factor.turned_on': {
    ...SHOWN_PERSON,
    toOwner: warning('two-factor-on', 'Two-factor authentication was turned on'),
  },
  'two_factor.turned_off': {
    ...SHOWN_PERSON,
    toOwner: warning('two-factor-off', 'Two-factor authentication was turned off'),
  },
  'two_factor.codes_renewed': {
    ...SIGN_IN,
    toOwner: warning(
      'new-recovery-codes',
      'New recovery codes were created, and the old ones no longer work',
    ),
  },
  'two_factor.codes_ended': {
    ...SIGN_IN,
    toOwner: {
      kind: 'recovery-codes-ended',
      message:
        'Your recovery codes no longer work, because they were replaced after what you reported. Your app still works. Create new codes after you have signed in.',
    },
  },
  'two_factor.recovery_code_used': {
    ...SIGN_IN,
    toOwner: warning(
      'recovery-code-used',
      'A recovery code was used instead of your app. {left} left',
    ),
  },
  'passkey.added': {
    ...SIGN_IN,
    words: 'Passkey added',
    toOwner: warning('passkey-added', 'A passkey was added to your account: {passkey}'),
  },
  'passkey.renamed': {
    ...PERSON,
    words: 'Passkey renamed',
    toOwner: warning(
      'passkey-renamed',
      'A passkey on your account was renamed: {former} is now {passkey}',
    ),
  },
  'passkey.removed': {
    ...SIGN_IN,
    words: 'Passkey removed',
    toOwner: warning('passkey-removed', 'A passkey was removed from your account: {passkey}'),
  },

  // Email address
  'email.confirmed': { ...PERSON, words: 'Email address confirmed' },
  'email.change_requested': {
    ...PERSON,
    words: 'Requested a new email address',
    toOwner: {
      kind: 'new-email-address',
      message:
        'A new email address was requested. This address stays in use until the new one is confirmed. If this was not you, freeze your payouts and change your password. That cancels the request.',
    },
  },
  'email.change_withdrawn': { ...PERSON, words: 'Change of email address withdrawn' },
  'email.changed': {
    ...SHOWN_PERSON,
    words: 'Email address changed',
    toOwner: {
      kind: 'email-address-changed',
      message:
        'Your email address was changed. You sign in with the new one from now on, and payouts wait for the cooling-off.',
    },
  },
  'email.change_reported': {
    ...SHOWN_PERSON,
    words: 'Change of email address taken back',
    toOwner: {
      kind: 'email-change-taken-back',
      message:
        'The change of your email address was reported as not yours. Your payouts are frozen until an administrator has checked. Choose a new password to sign in.',
    },
    toAdmins: {
      kind: 'payouts-frozen',
      message:
        'A change of the email address of {name} was reported as not theirs. Their payouts are frozen until an administrator releases them.',
    },
  },
  'notice.reported': {
    ...SHOWN_PERSON,
    words: 'Security notice reported as not theirs',
    toOwner: {
      kind: 'notice-reported',
      message:
        '"{title}" was reported as not yours. Everyone was signed out, and your payouts are frozen until an administrator has checked. Choose a new password to sign in.',
    },
    toAdmins: {
      kind: 'payouts-frozen',
      message:
        '{name} reported "{title}" as not theirs. Their payouts are frozen until an administrator releases them.',
    },
  },

  // Calendar and picture
  'calendar_feed.created': {
    ...CALENDAR,
    words: 'Calendar address made',
    toOwner: CALENDAR_MADE,
  },
  'calendar_feed.renewed': {
    ...CALENDAR,
    words: 'Calendar address replaced',
    toOwner: CALENDAR_MADE,
  },
  'calendar_feed.revoked': { ...CALENDAR, words: 'Calendar address ended' },
  'person.picture_set': { ...PICTURE, words: 'Picture changed' },
  'person.picture_removed': { ...PICTURE, words: 'Picture removed' },
} as const satisfies Record<string, EventSpec>;
