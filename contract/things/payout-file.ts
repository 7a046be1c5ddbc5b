import { PAYOUT_FILE_STATUSES } from '../statuses.ts';
import { DOWNLOADED, SENT } from './payout-acts.ts';
import { defineThing } from './thing.ts';

/** Payments that the company's bank is ordered to make by one file. Its owner is the administrator who made it. */
export const payoutFile = defineThing({
  name: 'payout_file',
  isOfCompany: true,
  path: 'payouts',
  statuses: PAYOUT_FILE_STATUSES,
  topic: 'payouts',
  movesMoney: false,
  called: 'this payout file',
  live: { admins: ['payouts', 'withdrawals', 'payments', 'bank-accounts'] },
  refusals: { notFound: 'payout_file_not_found', wrongStatus: 'payout_file_wrong_status' },
  acts: {
    make: {
      by: 'anyAdmin',
      from: [],
      to: 'prepared',
      past: 'made',
      operation: 'adminMakePayoutFile',
      hasForm: true,
    },
    download: {
      ...DOWNLOADED,
      operation: 'adminDownloadPayoutFile',
      secondPerson: [
        { rule: 'payout', after: ['payout_file.make'], did: 'you made this payout file' },
      ],
    },
    /** Gives it out again, because the copy was lost. */
    downloadAgain: {
      by: 'anyAdmin',
      from: ['downloaded'],
      past: 'downloaded_again',
      words: 'Payout file downloaded again',
      did: null,
      operation: 'adminDownloadPayoutFileAgain',
      hasForm: true,
    },
    send: {
      ...SENT,
      route: {
        confirms: 'recent',
        summary: 'Mark a payout file as sent: its amounts leave the wallets and are on their way',
        idempotency: 'required',
        errors: ['own_request'],
        mayChange: { owner: ['withdrawals', 'payments', 'wallets', 'bank-accounts'] },
      },
      offer: {
        label: 'Mark as Sent',
        kind: 'money',
        title: 'Mark this payout file as sent?',
        consequence:
          'Only when your bank has accepted it. The amounts leave the wallets now. This cannot be undone. What does not arrive comes back as a return.',
        pending: 'Marking',
        done: 'Payout File Sent',
      },
    },
    /** Ends the file, because a line of the company's statement has its amount. */
    settleByLine: {
      by: 'system',
      from: ['sent'],
      to: 'settled',
      past: 'settled',
      live: {
        owner: ['withdrawals', 'payments', 'wallets'],
        admins: ['payouts', 'withdrawals', 'payments'],
      },
    },
    /** Ends a file of prenotes alone, after its last day: it has no amount, so no line of a statement has it. */
    settlePrenotes: {
      by: 'system',
      from: ['sent'],
      to: 'settled',
      past: 'settled',
      live: { admins: ['payouts'] },
    },
    /** Ends the file by hand, because the bank has paid it. Only while the company imports no statements. */
    settle: {
      by: 'anyAdmin',
      from: ['sent'],
      to: 'settled',
      past: 'settled',
      route: {
        confirms: 'recent',
        summary: 'Settle a payout file that the bank has paid: its payments are completed',
        idempotency: 'required',
        errors: ['own_request', 'payout_settled_by_line', 'payout_file_unposted'],
        mayChange: { owner: ['withdrawals', 'payments', 'wallets'] },
      },
      offer: {
        label: 'Settle',
        isCompletion: true,
        kind: 'money',
        title: 'Settle this payout file?',
        consequence: 'Its payments are completed. Check that your bank has debited the amount.',
        pending: 'Settling',
        done: 'Payout File Settled',
      },
    },
    cancel: {
      by: 'anyAdmin',
      from: ['prepared', 'downloaded'],
      to: 'cancelled',
      past: 'cancelled',
      route: {
        summary: 'Cancel a payout file that was not sent: its payments are ready again',
        confirms: 'recent',
        idempotency: 'required',
      },
      offer: {
        label: 'Cancel File',
        kind: 'danger',
        title: 'Cancel this payout file?',
        consequence:
          'Its payments return to Ready to pay. The number stays used. If the file was downloaded, make sure that it was not given to the bank, and delete the copy.',
        pending: 'Cancelling',
        done: 'Payout File Cancelled',
      },
    },
  },
});
