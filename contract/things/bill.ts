import { BILL_STATUSES } from '../statuses.ts';
import { BOOKED_RETURN, RETURNED_BY_FILE, SET_ADDRESS } from './payout-acts.ts';
import { defineThing } from './thing.ts';

const PAID_OUT = {
  rule: 'return',
  after: ['bill.send', 'bill.complete'],
  did: 'you paid this out',
} as const;

const PAID = {
  from: ['sent'],
  to: 'paid',
  past: 'paid',
  did: 'completed',
  isSent: true,
  toOwner: { kind: 'bill-paid', message: '{billed} was paid. Reference {posting}.' },
} as const;

/** Money from a wallet to a payee outside, held from the day it is scheduled. */
export const bill = defineThing({
  name: 'bill',
  statuses: BILL_STATUSES,
  topic: 'payments',
  movesMoney: true,
  refusals: { notFound: 'bill_not_found', wrongStatus: 'bill_wrong_status' },
  acts: {
    schedule: {
      by: 'owner',
      from: [],
      to: 'scheduled',
      past: 'scheduled',
      operation: 'scheduleBill',
      hasForm: true,
      isSent: true,
      toOwner: { kind: 'bill-scheduled', message: '{billed} is held and paid on {payDay}.' },
    },
    /** Schedules a bill in place of one that is changed. */
    replace: {
      by: 'owner',
      from: [],
      to: 'scheduled',
      past: 'scheduled',
      isSent: true,
      toOwner: { kind: 'bill-changed', message: '{billed} is held and paid on {payDay}.' },
    },
    /** Schedules one again that the bank sent back, under its number with a suffix. */
    scheduleAgain: {
      by: 'owner',
      from: [],
      to: 'scheduled',
      past: 'scheduled',
      isSent: true,
      toOwner: {
        kind: 'bill-scheduled',
        message:
          '{billed} is held and paid on {payDay}. It is {reference}, in place of {resends}, which the bank sent back.',
      },
    },
    /** Ends nothing: the returned bill stays as it is and is scheduled again by another one. */
    resend: {
      by: 'owner',
      from: ['returned'],
      past: 'resent',
      words: 'Bill sent again',
      operation: 'resendBill',
      hasForm: true,
      isSent: true,
      refusal: { returned: 'request_sent_again' },
    },
    /** The first one of a standing bill, whose owner is notified of that. */
    scheduleFirst: { by: 'system', from: [], to: 'scheduled', past: 'scheduled', isSent: true },
    /** Ends the bill, because another takes its place: a promised bill itself never changes. */
    change: {
      by: 'owner',
      from: ['scheduled'],
      to: 'cancelled',
      past: 'cancelled',
      operation: 'changeBill',
      hasForm: true,
      isSent: true,
    },
    cancel: {
      by: 'owner',
      from: ['scheduled'],
      to: 'cancelled',
      past: 'cancelled',
      route: { summary: 'Cancel a scheduled bill; the amount is available again' },
      isSent: true,
      toOwner: {
        kind: 'bill-cancelled',
        message: '{billed} is not paid. It is available again.',
      },
    },
    /** Takes the bill on its day. From then on its owner can neither change nor cancel it. */
    take: {
      by: 'system',
      from: ['scheduled'],
      to: 'due',
      past: 'taken',
      did: 'began to process',
      toAdmins: { kind: 'bill-to-pay', message: '{billed} is about to be sent.' },
    },
    send: {
      by: 'admin',
      from: ['due'],
      to: 'sent',
      past: 'sent',
      route: {
        confirms: 'recent',
        summary: 'Mark a bill that is due as sent to the bank',
        errors: [
          'payouts_stopped',
          'payouts_frozen',
          'payout_cooling_off',
          'payee_not_confirmed',
          'payout_in_file',
          'return_disputed',
        ],
      },
      isSent: true,
      secondPerson: [BOOKED_RETURN, SET_ADDRESS],
      toOwner: { kind: 'bill-sent', message: '{billed} is on its way.' },
      offer: {
        label: 'Mark as sent',
        kind: 'money',
        title: 'Mark this bill as sent?',
        consequence:
          'First send it at your bank. The amount stays held until you complete or stop the bill.',
        pending: 'Marking',
        done: 'Bill Sent',
        bulk: {
          verb: 'mark as sent',
          done: 'marked as sent',
          consequence:
            'Send them at your bank first. They stay held until you complete or stop them.',
          total: 'Sent',
        },
      },
    },
    /** Sends it in a payout file: the held money leaves the wallet and is on its way. */
    sendInFile: {
      by: 'admin',
      from: ['due'],
      to: 'sent',
      past: 'sent',
      isSent: true,
      toOwner: { kind: 'bill-sent', message: '{billed} is on its way.' },
    },
    /** Ends one that was sent in a payout file, once the bank has paid the file. */
    settle: { by: 'admin', ...PAID },
    /** Ends one that was sent in a payout file, because a statement line has the amount of the file. */
    settleByLine: { by: 'system', ...PAID },
    complete: {
      by: 'admin',
      ...PAID,
      route: {
        confirms: 'recent',
        summary: 'Complete a bill that was sent: the held money is posted out',
        errors: ['payout_sent_in_file'],
      },
      secondPerson: [{ rule: 'payout', after: ['bill.send'], did: 'you approved this payout' }],
      offer: {
        label: 'Complete',
        isCompletion: true,
        kind: 'money',
        title: 'Complete this bill?',
        consequence: 'The held amount leaves the wallet and is recorded as paid.',
        pending: 'Completing',
        done: 'Bill Paid',
        bulk: {
          verb: 'complete',
          done: 'completed',
          consequence: 'The held amounts leave the wallets and are recorded as paid.',
          total: 'Paid',
        },
      },
    },
    /** Calls back what has not left. */
    stop: {
      by: 'admin',
      from: ['due', 'sent'],
      to: 'rejected',
      past: 'stopped',
      route: {
        summary: 'Reject a bill that has not left, with a reason; the amount is available again',
        errors: ['payout_in_file'],
      },
      isSent: true,
      toOwner: {
        kind: 'bill-stopped',
        message: '{billed} is not paid. It is available again. Reason: {reason}',
      },
      offer: {
        label: 'Stop',
        kind: 'danger',
        title: 'Stop bill',
        consequence:
          'Only if the payment has not been sent. The amount returns to the employee’s available balance.',
        reason: { emptyHint: 'Enter a reason to stop.', keep: 'Keep Bill' },
        pending: 'Stopping',
        done: 'Bill Stopped',
        bulk: {
          verb: 'stop',
          done: 'stopped',
          consequence:
            'Only if they have not been sent. The amounts return to the employees’ available balances.',
          total: 'Stopped',
        },
      },
    },
    /** Books a payout that the bank sent back. */
    return: {
      by: 'admin',
      from: ['paid'],
      to: 'returned',
      past: 'returned',
      route: {
        confirms: 'recent',
        summary: 'Book a paid bill that the bank returned; the entry is reversed',
      },
      isSent: true,
      secondPerson: [PAID_OUT],
      toOwner: {
        kind: 'bill-returned',
        message:
          'The bank sent back {billed}. It is in your wallet again. Reason: {reason}. Confirm or edit the payee before you pay it again.',
      },
      offer: {
        label: 'Returned by bank',
        kind: 'danger',
        title: 'Returned by bank',
        consequence:
          'The payment is reversed and the amount is back in the employee’s wallet. The employee must confirm the payee before another bill is sent there.',
        confirm: 'Book the return',
        reason: { emptyHint: 'Enter the bank’s reason.', keep: 'Keep Bill' },
        pending: 'Booking',
        done: 'Bill Returned',
      },
    },
    returnByFile: {
      ...RETURNED_BY_FILE,
      from: ['sent', 'paid'],
      secondPerson: [PAID_OUT],
      toOwner: {
        kind: 'bill-returned',
        message:
          'The bank sent back {billed}. It is in your wallet again. {meaning} Confirm or edit the payee before you pay it again.',
      },
    },
  },
});
