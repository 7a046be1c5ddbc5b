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
    /** Takes the first of two steps, where the company separates them from an amount on. */
    confirm: {
      by: 'admin',
      from: ['pending'],
      past: 'confirmed',
      firstOf: { act: 'approve', unneeded: 'deposit_confirmation_unneeded' },
      route: {
        confirms: 'recent',
        summary: 'Confirm that a deposit arrived, where another admin has to approve it',
        errors: ['deposit_images_missing'],
      },
      isSent: true,
      toAdmins: {
        kind: 'deposit-to-approve',
        message:
          '{actor} confirmed that {amount} arrived ({reference}). Another administrator must approve it.',
      },
      offer: {
        label: 'Confirm',
        kind: 'solid',
        title: 'Confirm this deposit?',
        consequence:
          'Another administrator then approves it. Until then nothing reaches the wallet.',
        pending: 'Confirming',
        done: 'Deposit Confirmed',
        bulk: {
          verb: 'confirm',
          done: 'confirmed',
          consequence:
            'Another administrator then approves them. Until then nothing reaches the wallets.',
          total: 'Confirmed',
        },
      },
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
      secondPerson: [
        {
          rule: 'deposit',
          after: ['deposit.confirm'],
          did: 'you confirmed this deposit',
          unlessDone: 'deposit_unconfirmed',
        },
      ],
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
