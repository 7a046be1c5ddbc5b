import { STANDINGS } from '../statuses.ts';
import { ACCESS_ACTS, FOR_ADMINS } from './person-access.ts';
import { defineThing } from './thing.ts';

const DEACTIVATION = {
  by: 'admin',
  from: ['applicant', 'active'],
  to: 'deactivated',
  past: 'deactivated',
  words: 'Deactivated',
  isSent: true,
} as const;

const REACTIVATION = {
  by: 'admin',
  from: ['deactivated'],
  to: 'active',
  past: 'reactivated',
  words: 'Reactivated',
  isSent: true,
} as const;

/**
 * Person and their account, as administrators decide on it. An applicant signed up and nobody has accepted them yet.
 * A deactivated person cannot sign in and keeps what is theirs. Acts that leave the standing as it is have their event
 * from what they change: `email.set`.
 */
export const person = defineThing({
  name: 'user',
  event: 'person',
  called: 'this person',
  keepsMoments: true,
  statuses: STANDINGS,
  topic: 'people',
  movesMoney: false,
  live: { admins: ['people'] },
  refusals: {
    notFound: 'person_not_found',
    wrongStatus: 'person_wrong_standing',
    own: 'own_account',
  },
  acts: {
    ...ACCESS_ACTS,
    create: {
      by: 'anyAdmin',
      from: [],
      to: 'active',
      past: 'created',
      changesSignIn: true,
      event: 'user',
      words: 'Account made',
      live: {},
    },
    signUp: {
      by: 'owner',
      from: [],
      to: 'applicant',
      past: 'signed_up',
      changesSignIn: true,
      event: 'user',
      words: 'Signed up',
      live: {},
    },
    /** Replaces a sign-up whose address nobody has confirmed. */
    signUpAgain: {
      by: 'owner',
      from: ['applicant'],
      past: 'signed_up_again',
      changesSignIn: true,
      event: 'user',
      words: 'Signed up again',
      did: null,
      live: {},
    },
    accept: {
      by: 'admin',
      from: ['applicant'],
      to: 'active',
      past: 'accepted',
      words: 'Accepted',
      operation: 'adminAcceptApplicant',
      isSent: true,
      toOwner: {
        kind: 'welcome',
        message: 'You were accepted as an employee. Payroll now includes you.',
      },
      offer: {
        label: 'Accept',
        kind: 'solid',
        title: 'Accept this person?',
        consequence: 'They become an employee. Payroll and funding now include them.',
        pending: 'Accepting',
        done: 'Employee Accepted',
      },
    },
    deactivate: {
      ...DEACTIVATION,
      operation: 'adminDeactivatePerson',
      toAdmins: {
        kind: 'person-deactivated',
        message: '{actor} deactivated {name}. Reason: {reason}',
      },
      offer: {
        label: 'Deactivate',
        kind: 'danger',
        title: 'Deactivate employee',
        consequence:
          'Their money and requests stay theirs. You can pay the balance out afterwards. You can undo this at any time.',
        reason: {
          emptyHint: 'Enter a reason to deactivate.',
          keep: 'Keep Active',
          placeholder: FOR_ADMINS,
        },
        pending: 'Deactivating',
        done: 'Employee Deactivated',
      },
    },
    deactivateAdmin: {
      ...DEACTIVATION,
      toAdmins: {
        kind: 'administrator-deactivated',
        message: '{actor} deactivated {name}. Reason: {reason}',
      },
    },
    /** Lets a person in again, as what they were: an applicant stays one. */
    reactivate: {
      ...REACTIVATION,
      operation: 'adminReactivatePerson',
      toAdmins: {
        kind: 'person-reactivated',
        message: '{actor} reactivated {name}. Reason: {reason}',
      },
      offer: {
        label: 'Reactivate',
        kind: 'solid',
        title: 'Reactivate employee',
        consequence: 'They can sign in again, and payroll includes them again.',
        reason: {
          emptyHint: 'Enter a reason to reactivate.',
          keep: 'Keep Deactivated',
          placeholder: FOR_ADMINS,
          kind: 'solid',
        },
        pending: 'Reactivating',
        done: 'Employee Reactivated',
      },
    },
    reactivateAdmin: {
      ...REACTIVATION,
      toAdmins: {
        kind: 'administrator-reactivated',
        message: '{actor} reactivated {name}. Reason: {reason}',
      },
    },
    /** Takes the rights of an administrator away, who is an employee from then on. */
    revokeAdmin: {
      by: 'admin',
      from: ['active'],
      past: 'revoked',
      event: 'admin',
      words: 'Admin rights removed',
      did: 'removed the administrator rights of',
      operation: 'adminRevokeAdmin',
      toOwner: {
        kind: 'sessions-ended',
        title: 'Signed out by an administrator',
        message:
          '{actor} removed your administrator rights, and you were signed out. Reason: {reason}',
      },
      toAdmins: {
        kind: 'administrator-removed',
        message: '{actor} removed the administrator rights of {name}. Reason: {reason}',
      },
      offer: {
        label: 'Remove Admin Rights',
        kind: 'danger',
        title: 'Remove admin rights',
        consequence: 'They are signed out and become an employee.',
        reason: {
          emptyHint: 'Enter a reason to remove them.',
          keep: 'Keep Rights',
          placeholder: FOR_ADMINS,
        },
        pending: 'Removing',
        done: 'Admin Rights Removed',
      },
    },
    changePosition: {
      by: 'anyAdmin',
      from: STANDINGS,
      past: 'position_changed',
      words: 'Department or position changed',
      did: null,
      operation: 'adminChangePosition',
      hasForm: true,
    },
    correctName: {
      by: 'admin',
      from: STANDINGS,
      past: 'name_corrected',
      words: 'Name corrected',
      did: null,
      operation: 'adminCorrectName',
      hasForm: true,
      live: { admins: ['people'], owner: ['sessions'] },
      toOwner: {
        kind: 'name-corrected',
        message:
          'An administrator corrected your name from {before} to {after}. Reason: {reason}{review} If this is wrong, contact your administrator.',
      },
    },
    /** Sets the address that the person signs in with. */
    setEmail: {
      by: 'admin',
      from: STANDINGS,
      past: 'set',
      event: 'email',
      changesSignIn: true,
      words: 'Email address set by an administrator',
      did: null,
      operation: 'adminChangeEmail',
      hasForm: true,
      toOwner: {
        kind: 'email-address-changed',
        message:
          '{actor} changed your email address to {email}. You sign in with it from now on, and payouts wait for the cooling-off. Reason: {reason}',
      },
      toAdmins: {
        kind: 'email-set',
        title: 'Email address changed',
        message: '{actor} changed the email address of {name}. Reason: {reason}',
      },
    },
    askForIdentity: {
      by: 'anyAdmin',
      from: ['active'],
      past: 'asked_for_identity',
      words: 'Asked to verify identity',
      did: null,
      operation: 'adminAskForIdentity',
      live: {},
      toOwner: {
        kind: 'identity-asked',
        message: 'Your administrator asks you to verify your identity.',
      },
      offer: {
        label: 'Ask for Identity Check',
        kind: 'solid',
        title: 'Ask for an identity check?',
        consequence: 'They get a notification and a mail that ask them to verify their identity.',
        pending: 'Asking',
        done: 'Identity Check Requested',
      },
    },
    /** Destroys the key of what a person who left typed, once nothing needs it. */
    destroyKey: {
      by: 'system',
      from: ['deactivated'],
      past: 'key_destroyed',
      did: null,
      live: {},
    },
  },
});
