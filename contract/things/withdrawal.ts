import { WITHDRAWAL_STATUSES } from '../statuses.ts';
import { BOOKED_RETURN, RETURNED_BY_FILE, SET_ADDRESS } from './payout-acts.ts';
import { defineThing } from './thing.ts';

const PAID_OUT = {
  rule: 'return',
  after: ['withdrawal.approve', 'withdrawal.complete'],
  did: 'you paid this out',
} as const;

const COMPLETED = {
  from: ['processing'],
  to: 'completed',
  past: 'completed',
  isSent: true,
  toOwner: {
    kind: 'withdrawal-completed',
    message: '{amount} to {destination} was paid out. Reference {posting}.',
  },
} as const;

/** Refusals of acts that let money leave. */
const MAY_NOT_LEAVE = [
  'payouts_stopped',
  'payouts_frozen',
  'return_disputed',
  'payout_account_returned',
] as const;

/** Money from a wallet to its owner's verified bank account, held from the request on. */
export const withdrawal = defineThing({
  name: 'withdrawal',
  statuses: WITHDRAWAL_STATUSES,
  topic: 'withdrawals',
  movesMoney: true,
  refusals: { notFound: 'withdrawal_not_found', wrongStatus: 'withdrawal_wrong_status' },
  acts: {
    request: {
      by: 'owner',
      from: [],
      to: 'pending',
      past: 'requested',
      operation: 'requestWithdrawal',
      hasForm: true,
      isSent: true,
      toOwner: {
        kind: 'withdrawal-submitted',
        message: '{amount} to {destination} is waiting for approval.',
      },
      toAdmins: {
        kind: 'withdrawal-to-approve',
        message: '{actor} requested {amount} ({urgency} urgency).',
      },
    },
    /** Requests the whole balance of a person who left. */
    requestForLeaver: {
      by: 'admin',
      from: [],
      to: 'pending',
      past: 'requested',
      operation: 'adminPayOutLeaver',
      hasForm: true,
      isSent: true,
      toOwner: {
        kind: 'withdrawal-submitted',
        message:
          '{actor} requested {amount} for you. It goes to {destination} once it is approved.',
      },
      toAdmins: {
        kind: 'withdrawal-to-approve',
        message: '{actor} requests {amount} for {leaver}, who left.',
      },
    },
    /** Requested by a rule of its owner after a payroll line. One notification is about all rules of the run. */
    requestAutomatic: {
      by: 'system',
      from: [],
      to: 'pending',
      past: 'requested',
      isSent: true,
    },
    /** Requests one again that the bank sent back, under its number with a suffix. */
    requestAgain: {
      by: 'owner',
      from: [],
      to: 'pending',
      past: 'requested',
      isSent: true,
      toOwner: {
        kind: 'withdrawal-submitted',
        message:
          '{amount} to {destination} is waiting for approval. It is {reference}, in place of {resends}, which the bank sent back.',
      },
      toAdmins: {
        kind: 'withdrawal-to-approve',
        message:
          '{actor} corrected {resends}, which the bank sent back, and requested {amount} again as {reference}.',
      },
    },
    /** Ends nothing: the returned request stays as it is and is requested again by another one. */
    resend: {
      by: 'owner',
      from: ['returned'],
      past: 'resent',
      words: 'Withdrawal sent again',
      operation: 'resendWithdrawal',
      hasForm: true,
      isSent: true,
      refusal: { returned: 'request_sent_again' },
    },
    cancel: {
      by: 'owner',
      from: ['pending'],
      to: 'cancelled',
      past: 'cancelled',
      route: { summary: 'Cancel a pending withdrawal; the balance is restored immediately' },
      refusal: 'withdrawal_not_cancellable',
      isSent: true,
    },
    approve: {
      by: 'admin',
      from: ['pending'],
      to: 'approved',
      past: 'approved',
      route: { confirms: 'recent', summary: 'Approve a pending withdrawal', errors: MAY_NOT_LEAVE },
      isSent: true,
      secondPerson: [
        {
          rule: 'bankAccount',
          after: ['bank_account.verify'],
          did: 'you verified the bank account that it goes to',
        },
        SET_ADDRESS,
        BOOKED_RETURN,
        // Only where the company requires an approved identity, which a person who left can no longer prove.
        {
          rule: 'always',
          after: ['withdrawal.requestForLeaver'],
          did: 'you requested it and the identity of its owner is not approved',
        },
      ],
      toOwner: {
        kind: 'withdrawal-approved',
        message: 'Your withdrawal of {amount} to {destination} was approved.',
      },
      offer: {
        label: 'Approve',
        kind: 'money',
        title: 'Approve this withdrawal?',
        consequence: 'The amount stays held until it is paid out.',
        pending: 'Approving',
        done: 'Withdrawal Approved',
        bulk: {
          verb: 'approve',
          done: 'approved',
          consequence: 'The amounts stay held until they are paid out. Each employee is notified.',
          total: 'Approved',
        },
      },
    },
    /** Approves one that a rule requested, below the company's amount. */
    approveAutomatic: {
      by: 'system',
      from: ['pending'],
      to: 'approved',
      past: 'approved',
      isSent: true,
    },
    reject: {
      by: 'admin',
      from: ['pending'],
      to: 'rejected',
      past: 'rejected',
      route: { summary: 'Reject a pending withdrawal, with a reason; the balance is restored' },
      isSent: true,
      toOwner: {
        kind: 'withdrawal-rejected',
        message: 'Your withdrawal of {amount} to {destination} was rejected. Reason: {reason}',
      },
      offer: {
        label: 'Reject',
        kind: 'outline',
        title: 'Reject withdrawal',
        consequence: 'The amount returns to the employee’s available balance.',
        reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Request' },
        pending: 'Rejecting',
        done: 'Withdrawal Rejected',
        bulk: {
          verb: 'reject',
          done: 'rejected',
          consequence: 'The amounts return to the employees’ available balances.',
          total: 'Rejected',
        },
      },
    },
    startProcessing: {
      by: 'admin',
      from: ['approved'],
      to: 'processing',
      past: 'processing',
      did: 'began to process',
      route: {
        confirms: 'recent',
        summary: 'Start processing an approved withdrawal',
        verb: 'start',
        step: 'start-processing',
        errors: [...MAY_NOT_LEAVE, 'payout_change_open', 'payout_cooling_off', 'payout_in_file'],
      },
      isSent: true,
      toOwner: {
        kind: 'withdrawal-processing',
        message: '{amount} to {destination} is being sent.',
      },
      offer: {
        label: 'Start processing',
        kind: 'money',
        title: 'Start processing this withdrawal?',
        consequence: 'It is shown as on its way until you complete or stop it.',
        pending: 'Starting',
        done: 'Processing Started',
        bulk: {
          verb: 'start',
          done: 'started',
          consequence: 'They are shown as on their way until you complete or stop them.',
          total: 'In processing',
        },
      },
    },
    /** Sends it in a payout file: the held money leaves the wallet and is on its way. */
    sendInFile: {
      by: 'admin',
      from: ['approved'],
      to: 'processing',
      past: 'processing',
      did: 'began to process',
      isSent: true,
      toOwner: {
        kind: 'withdrawal-processing',
        message: '{amount} to {destination} is being sent.',
      },
    },
    /** Ends one that was sent in a payout file, once the bank has paid the file. */
    settle: { by: 'admin', ...COMPLETED },
    /** Ends one that was sent in a payout file, because a statement line has the amount of the file. */
    settleByLine: { by: 'system', ...COMPLETED },
    complete: {
      by: 'admin',
      ...COMPLETED,
      route: {
        confirms: 'recent',
        summary: 'Complete a withdrawal: the held money is posted out',
        errors: ['payout_sent_in_file'],
      },
      secondPerson: [
        { rule: 'payout', after: ['withdrawal.approve'], did: 'you approved this payout' },
      ],
      offer: {
        label: 'Complete',
        isCompletion: true,
        kind: 'money',
        title: 'Complete this withdrawal?',
        consequence: 'The held amount leaves the wallet and is recorded as paid out.',
        pending: 'Completing',
        done: 'Withdrawal Completed',
        bulk: {
          verb: 'complete',
          done: 'completed',
          consequence: 'The held amounts leave the wallets and are recorded as paid out.',
          total: 'Paid out',
        },
      },
    },
    /** Calls back a payout that has not left. */
    stop: {
      by: 'admin',
      from: ['approved', 'processing'],
      to: 'rejected',
      past: 'stopped',
      route: {
        summary:
          'Stop an approved or processing withdrawal, with a reason; the balance is restored',
        errors: ['payout_in_file'],
      },
      isSent: true,
      toOwner: {
        kind: 'withdrawal-stopped',
        message: 'Your withdrawal of {amount} to {destination} was stopped. Reason: {reason}',
      },
      offer: {
        label: 'Stop',
        kind: 'danger',
        title: 'Stop withdrawal',
        consequence:
          'Only if the payout has not been sent. The amount returns to the employee’s available balance.',
        reason: { emptyHint: 'Enter a reason to stop.', keep: 'Keep Request' },
        pending: 'Stopping',
        done: 'Withdrawal Stopped',
      },
    },
    /** Books a payout that the bank sent back. */
    return: {
      by: 'admin',
      from: ['completed'],
      to: 'returned',
      past: 'returned',
      route: {
        confirms: 'recent',
        summary: 'Book a completed payout that the bank returned; the entry is reversed',
        mayChange: { owner: ['bank-accounts'], admins: ['bank-accounts'] },
      },
      isSent: true,
      secondPerson: [PAID_OUT],
      toOwner: {
        kind: 'withdrawal-returned',
        message:
          '{bank} sent back your payout of {amount} to {destination}. The money is in your wallet again. Reason: {reason}. Check the bank account and confirm it before you use it again.',
      },
      offer: {
        label: 'Returned by bank',
        kind: 'danger',
        title: 'Returned by bank',
        consequence:
          'The payout is reversed and the amount is back in the employee’s wallet. The bank account must be verified again before it is used.',
        confirm: 'Book the return',
        reason: { emptyHint: 'Enter the bank’s reason.', keep: 'Keep Request' },
        pending: 'Booking',
        done: 'Withdrawal Returned',
      },
    },
    returnByFile: {
      ...RETURNED_BY_FILE,
      from: ['processing', 'completed'],
      secondPerson: [PAID_OUT],
      toOwner: {
        kind: 'withdrawal-returned',
        message:
          '{bank} sent back your payout of {amount} to {destination}. The money is in your wallet again. {meaning}',
      },
    },
  },
});
