import { RECOVERY_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** An instalment that is given back, because the payment that it was taken from is taken back. */
const GIVEN_BACK = { by: 'admin' } as const;

const NOTICE_TAKEN =
  '{amount} was taken from {pay} in your {wallet}, as you agreed. {left} is left.';

/**
 * Agreement with a person on money of a payroll that they were paid by mistake and no longer have: a part of each later
 * payroll into the same type of wallet, once they have accepted.
 */
export const recovery = defineThing({
  name: 'recovery',
  called: 'this recovery',
  path: 'recoveries',
  statuses: RECOVERY_STATUSES,
  topic: 'payroll',
  movesMoney: false,
  live: { owner: ['wallets'], admins: ['payroll'] },
  refusals: { notFound: 'recovery_not_found', wrongStatus: 'recovery_wrong_status' },
  acts: {
    propose: {
      by: 'admin',
      from: [],
      to: 'proposed',
      past: 'proposed',
      operation: 'adminProposeRecovery',
      hasForm: true,
      isSent: true,
      toOwner: {
        kind: 'recovery-proposed',
        message:
          '{actor} asks you to pay back {amount} of {pay}: {instalment} from each payroll from {start}. Nothing is taken unless you accept by {day}. {message}',
      },
    },
    accept: {
      by: 'owner',
      from: ['proposed'],
      to: 'accepted',
      past: 'accepted',
      isSent: true,
      route: {
        confirms: 'recent',
        summary: 'Accept that money paid by mistake is taken from later payrolls',
        errors: ['recovery_late'],
      },
      toAdmins: {
        kind: 'recovery-accepted',
        message: '{name} accepted that {amount} is recovered: {instalment} from each payroll.',
      },
    },
    decline: {
      by: 'owner',
      from: ['proposed'],
      to: 'declined',
      past: 'declined',
      isSent: true,
      route: { summary: 'Decline a proposed recovery: nothing is taken' },
      toAdmins: {
        kind: 'recovery-declined',
        message: '{name} declined the recovery of {amount}. Nothing is taken.',
      },
    },
    expire: {
      by: 'system',
      from: ['proposed'],
      to: 'expired',
      past: 'expired',
      toAdmins: {
        kind: 'recovery-expired',
        message: '{name} did not answer by {day}. Nothing of {amount} is taken.',
      },
    },
    /** Takes an instalment from a payment, after which some is left. */
    take: {
      by: 'system',
      from: ['accepted'],
      past: 'taken',
      words: 'Instalment of a recovery taken',
      toOwner: { kind: 'recovery-taken', title: 'Instalment Taken', message: NOTICE_TAKEN },
    },
    /** Takes the last instalment. */
    finish: {
      by: 'system',
      from: ['accepted'],
      to: 'finished',
      past: 'finished',
      isSent: true,
      toOwner: { kind: 'recovery-finished', message: NOTICE_TAKEN },
    },
    giveBack: {
      ...GIVEN_BACK,
      from: ['accepted', 'ended'],
      past: 'given_back',
      words: 'Instalment of a recovery given back',
    },
    /** Gives an instalment back of a recovery that was finished, which goes on. */
    resume: {
      ...GIVEN_BACK,
      from: ['finished'],
      to: 'accepted',
      past: 'resumed',
      words: 'Instalment of a recovery given back',
    },
    /** Ends it before all is recovered, or takes the proposal back. */
    end: {
      by: 'admin',
      from: ['proposed', 'accepted'],
      to: 'ended',
      past: 'ended',
      isSent: true,
      route: { summary: 'End a recovery, or take its proposal back: no more is taken' },
      toOwner: {
        kind: 'recovery-ended',
        message: 'The recovery of {amount} ended. {left} of it is not taken. {reason}',
      },
      offer: {
        label: 'End Recovery',
        kind: 'outline',
        title: 'End recovery',
        consequence: 'No more is taken. What is left stays with the employee.',
        reason: {
          emptyHint: 'Enter a reason to end it.',
          keep: 'Keep Recovery',
          placeholder: 'The employee reads it',
        },
        pending: 'Ending',
        done: 'Recovery Ended',
      },
    },
    /** Ends it because the person left. */
    leave: {
      by: 'system',
      from: ['proposed', 'accepted'],
      to: 'ended',
      past: 'left',
      words: 'Recovery ended because the person left',
      toAdmins: {
        kind: 'recovery-left',
        message: '{name} left. {left} of {amount} is not recovered.',
      },
    },
  },
});
