import { DEPOSIT_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Money that a person sends to one of their wallets, posted once an administrator has found it. */
export const deposit = defineThing({
  name: 'deposit',
  statuses: DEPOSIT_STATUSES,
  topic: 'deposits',
  movesMoney: true,
  refusals: {
    notFound: 'deposit_not_found',
    wrongStatus: 'deposit_already_decided',
    in: { cancelled: 'deposit_wrong_status' },
  },
  acts: {
    request: {
      by: 'owner',
      from: [],
      to: 'pending',
      past: 'requested',
      operation: 'requestDeposit',
      hasForm: true,
      isSent: true,
      toAdmins: { kind: 'deposit-to-approve', message: '{actor} sends {amount}: {method}.' },
    },
    cancel: {
      by: 'owner',
      from: ['pending'],
      to: 'cancelled',
      past: 'cancelled',
      route: { summary: 'Cancel a pending deposit' },
      refusal: 'deposit_not_cancellable',
      isSent: true,
    },
    approve: {
      by: 'admin',
      from: ['pending'],
      to: 'approved',
      past: 'approved',
      route: {
        confirms: 'recent',
        summary: 'Approve a deposit: the amount is posted to the wallet',
        errors: ['deposit_images_missing'],
      },
      isSent: true,
      toOwner: {
        kind: 'deposit-approved',
        message: '{amount} is in your {wallet}. Reference {reference}.',
      },
      offer: {
        label: 'Approve',
        kind: 'money',
        title: 'Approve this deposit?',
        consequence: 'The money reaches the wallet immediately.',
        pending: 'Approving',
        done: 'Deposit Approved',
        bulk: {
          verb: 'approve',
          done: 'approved',
          consequence: 'The money reaches the wallets immediately. Each employee is notified.',
          total: 'In wallets now',
          isReceived: true,
        },
      },
    },
    reject: {
      by: 'admin',
      from: ['pending'],
      to: 'rejected',
      past: 'rejected',
      route: { summary: 'Reject a deposit, with a reason' },
      isSent: true,
      toOwner: {
        kind: 'deposit-rejected',
        message: 'Your deposit of {amount} was rejected. Reason: {reason}',
      },
      offer: {
        label: 'Reject',
        kind: 'outline',
        title: 'Reject deposit',
        consequence: 'Nothing is added to the wallet.',
        reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Request' },
        pending: 'Rejecting',
        done: 'Deposit Rejected',
        bulk: {
          verb: 'reject',
          done: 'rejected',
          consequence: 'Nothing is added to a wallet.',
          total: 'Rejected',
        },
      },
    },
  },
});
