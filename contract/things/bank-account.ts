import { BANK_ACCOUNT_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Notices of an account that an admin enters for a person who left. */
const ENTERED = {
  toOwner: {
    kind: 'bank-account-added',
    message:
      '{actor} entered {account} for you after you left. If you do not know this account, ask the company.',
  },
  toAdmins: {
    kind: 'bank-account-to-verify',
    message:
      '{actor} entered {account} for {leaver}, who left. Another administrator has to verify it.',
  },
} as const;

/** Bank account that a person's money is paid to, once an administrator has verified it. */
export const bankAccount = defineThing({
  name: 'bank_account',
  statuses: BANK_ACCOUNT_STATUSES,
  topic: 'bank-accounts',
  movesMoney: false,
  refusals: { notFound: 'bank_account_not_found', wrongStatus: 'bank_account_not_pending' },
  acts: {
    add: {
      by: 'owner',
      from: [],
      to: 'pending',
      past: 'added',
      operation: 'addBankAccount',
      hasForm: true,
      toOwner: {
        kind: 'bank-account-added',
        message:
          '{account} was added. If this was not you, freeze your payouts and change your password.',
      },
      toAdmins: { kind: 'bank-account-to-verify', message: '{actor} added {account}.' },
    },
    edit: {
      by: 'owner',
      from: BANK_ACCOUNT_STATUSES,
      to: 'pending',
      past: 'updated',
      did: 'changed',
      operation: 'updateBankAccount',
      hasForm: true,
      toOwner: {
        kind: 'bank-account-changed',
        message:
          '{account} was changed. If this was not you, freeze your payouts and change your password.',
      },
      toAdmins: { kind: 'bank-account-to-verify', message: '{actor} changed {account}.' },
    },
    /** Enters an account for a person who left and cannot sign in. */
    enter: {
      by: 'admin',
      from: [],
      to: 'pending',
      past: 'added',
      operation: 'adminEnterBankAccount',
      hasForm: true,
      ...ENTERED,
    },
    /** Enters an account again that was rejected before, or that the bank sent a payout back from. */
    enterAgain: {
      by: 'admin',
      from: ['rejected', 'returned'],
      to: 'pending',
      past: 'updated',
      did: 'changed',
      ...ENTERED,
    },
    remove: {
      by: 'owner',
      from: BANK_ACCOUNT_STATUSES,
      past: 'removed',
      operation: 'removeBankAccount',
      toOwner: {
        kind: 'bank-account-removed',
        message:
          '{account} was removed. If this was not you, freeze your payouts and change your password.',
      },
    },
    verify: {
      by: 'admin',
      from: ['pending'],
      to: 'verified',
      past: 'verified',
      route: {
        confirms: 'recent',
        summary:
          'Verify a bank account, with a reason where its holder has another name than its owner; one that an administrator entered takes another one',
        errors: ['holder_reason_required', 'bank_account_untested', 'bank_account_unproved'],
      },
      secondPerson: [
        { rule: 'always', after: ['bank_account.enter'], did: 'you entered this bank account' },
      ],
      toOwner: {
        kind: 'bank-account-verified',
        message: [
          '{account} is verified. Money can be paid to it from {payableFrom}.',
          'You can now withdraw to {account}.',
        ],
      },
      offer: {
        label: 'Verify',
        kind: 'solid',
        title: 'Verify this bank account?',
        reasonForSome: {
          emptyHint: 'Enter why an account in another name is right.',
          keep: 'Not now',
          placeholder: 'Kept in the audit',
          kind: 'solid',
        },
        pending: 'Verifying',
        done: 'Bank Account Verified',
        bulk: {
          verb: 'verify',
          done: 'verified',
          consequence: 'Withdrawals can be paid to them from then on. Each employee is notified.',
        },
      },
    },
    reject: {
      by: 'admin',
      from: ['pending'],
      to: 'rejected',
      past: 'rejected',
      route: { summary: 'Reject a bank account, with a reason' },
      toOwner: {
        kind: 'bank-account-rejected',
        message: '{account} was not verified. Reason: {reason}',
      },
      offer: {
        label: 'Reject',
        kind: 'outline',
        title: 'Reject bank account',
        consequence: 'The employee can correct it and send it again.',
        reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Account' },
        pending: 'Rejecting',
        done: 'Bank Account Rejected',
        bulk: {
          verb: 'reject',
          done: 'rejected',
          consequence: 'The employees can correct them and send them again.',
        },
      },
    },
    /** Follows from a payout file that was marked as sent: its prenote asks the bank if the account exists. */
    test: {
      by: 'anyAdmin',
      from: ['pending'],
      past: 'tested',
      words: 'Prenote sent to the bank account',
      did: 'sent a prenote to',
    },
    /** Follows from the time in which its bank could have sent the prenote back: it can be verified now. */
    passTest: {
      by: 'system',
      from: ['pending'],
      past: 'passed',
      words: 'Prenote not sent back',
      toAdmins: {
        kind: 'bank-account-to-verify',
        message:
          'The prenote to {account} of {owner} did not come back. You can verify the account.',
      },
    },
    /** Follows from a payout file that was marked as sent, with two deposits whose amounts the owner is to enter. */
    deposit: {
      by: 'anyAdmin',
      from: ['pending'],
      past: 'deposited',
      words: 'Micro-deposits sent to the bank account',
      did: 'sent micro-deposits to',
      toOwner: {
        kind: 'micro-deposits-sent',
        title: 'Micro-Deposits Sent',
        message:
          'Two deposits of less than $1.00 each arrive at {account} on {day}. Enter both amounts in Bank Details to have it verified.',
      },
    },
    /** Enters the amounts of both micro-deposits, which are right. An administrator can verify the account then. */
    prove: {
      by: 'owner',
      from: ['pending'],
      past: 'proved',
      words: 'Amounts of the micro-deposits entered',
      did: 'entered the amounts of',
      operation: 'enterMicroDeposits',
      hasForm: true,
      toAdmins: {
        kind: 'bank-account-to-verify',
        message:
          '{owner} entered the amounts of the micro-deposits to {account}. You can verify the account.',
      },
    },
    /** Enters amounts that are not those of the micro-deposits. */
    miss: {
      by: 'owner',
      from: ['pending'],
      past: 'missed',
      words: 'Wrong amounts of the micro-deposits entered',
      did: 'entered wrong amounts of',
    },
    /** Follows from the last wrong try, and from the end of the time in which the amounts can be entered. */
    giveUp: {
      by: 'system',
      from: ['pending'],
      to: 'rejected',
      past: 'rejected',
      toOwner: {
        kind: 'bank-account-rejected',
        message: '{account} was not verified. Reason: {reason}',
      },
    },
    /** Follows from the return of its prenote or of a micro-deposit, or from a notification of change about one. */
    failTest: {
      by: 'admin',
      from: ['pending', 'verified'],
      to: 'rejected',
      past: 'rejected',
      toOwner: {
        kind: 'bank-account-rejected',
        message: '{account} was not verified. Reason: {reason}',
      },
    },
    /** Follows from the return of a withdrawal: the bank sent a payout back from it. */
    return: {
      by: 'admin',
      from: ['verified'],
      to: 'returned',
      past: 'returned',
      words: 'Bank account marked: the bank sent a payout back',
    },
    /** Follows from the acceptance of a notification of change: the bank said which numbers are right. */
    correct: {
      by: 'admin',
      from: ['verified'],
      to: 'verified',
      past: 'corrected',
      operation: 'adminAcceptChange',
      isNotOffered: true,
      hasForm: true,
      words: 'Bank account corrected as its bank asked',
      secondPerson: [
        { rule: 'always', after: ['bank_account.enter'], did: 'you entered this bank account' },
      ],
      toOwner: {
        kind: 'bank-account-corrected',
        message: [
          'The bank of {account} asked for other details: {change}. Money can be paid to it from {payableFrom}. If you do not know this, freeze your payouts and ask the company.',
          'The bank of {account} asked for other details: {change}. If you do not know this, freeze your payouts and ask the company.',
        ],
      },
    },
  },
});
