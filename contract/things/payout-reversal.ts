import { PAYOUT_REVERSAL_STATUSES } from '../statuses.ts';
import { DOWNLOADED, SENT } from './payout-acts.ts';
import { defineThing } from './thing.ts';

/**
 * The order to the company's bank to take a payment of a payout file back, as a whole, by a file of its own. It moves no
 * money of the ledger. Its owner is the administrator who asked for it.
 */
export const payoutReversal = defineThing({
  name: 'payout_reversal',
  isOfCompany: true,
  path: 'payout-reversals',
  statuses: PAYOUT_REVERSAL_STATUSES,
  topic: 'payouts',
  movesMoney: false,
  called: 'this reversal',
  refusals: { notFound: 'payout_reversal_not_found', wrongStatus: 'payout_reversal_wrong_status' },
  acts: {
    ask: {
      by: 'anyAdmin',
      from: [],
      to: 'prepared',
      past: 'asked',
      words: 'Reversal of a payment prepared',
      operation: 'adminReversePayout',
      hasForm: true,
    },
    download: {
      ...DOWNLOADED,
      operation: 'adminDownloadPayoutReversal',
      secondPerson: [
        { rule: 'payout', after: ['payout_reversal.ask'], did: 'you prepared this reversal' },
      ],
    },
    send: {
      ...SENT,
      route: {
        confirms: 'recent',
        summary: 'Mark the file of a reversal as given to the bank; no money of the ledger moves',
        idempotency: 'required',
      },
      offer: {
        label: 'Mark as Sent',
        kind: 'solid',
        title: 'Mark this reversal as sent?',
        consequence:
          'Only when your bank has accepted it. No money moves in Purser until the bank sends it back.',
        pending: 'Marking',
        done: 'Reversal Sent',
      },
    },
    /** Books that the other bank did not take the payment back, from a file of returns. */
    refuse: {
      by: 'anyAdmin',
      from: ['sent'],
      to: 'refused',
      past: 'refused',
      words: 'Reversal refused by the bank',
      operation: 'adminBookReturns',
      isNotOffered: true,
      hasForm: true,
    },
    cancel: {
      by: 'anyAdmin',
      from: ['prepared', 'downloaded'],
      to: 'cancelled',
      past: 'cancelled',
      route: {
        confirms: 'recent',
        summary: 'Cancel a reversal that was not given to the bank',
      },
      offer: {
        label: 'Cancel Reversal',
        kind: 'danger',
        title: 'Cancel this reversal?',
        consequence:
          'If its file was downloaded, make sure that it was not given to the bank, and delete the copy.',
        pending: 'Cancelling',
        done: 'Reversal Cancelled',
      },
    },
  },
});
