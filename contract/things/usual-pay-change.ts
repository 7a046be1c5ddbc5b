import { USUAL_PAY_STATUSES } from '../statuses.ts';
import { FOR_ADMINS } from './person-access.ts';
import { defineThing } from './thing.ts';

/** Change of what a person is usually paid. Its owner is the person; administrators make it and decide on it. */
export const usualPayChange = defineThing({
  name: 'usual_pay_change',
  event: 'usual_pay',
  path: 'usual-pay',
  called: 'this change',
  statuses: USUAL_PAY_STATUSES,
  topic: 'payroll',
  movesMoney: false,
  live: { admins: ['payroll'] },
  refusals: { notFound: 'usual_pay_not_found', wrongStatus: 'usual_pay_wrong_status' },
  acts: {
    /** Makes a change that a second administrator has to confirm. Until then the former amounts count. */
    propose: {
      by: 'admin',
      from: [],
      to: 'waiting',
      past: 'proposed',
      words: 'Change of usual pay proposed',
      operation: 'adminChangeUsualPay',
      hasForm: true,
      toAdmins: {
        kind: 'usual-pay-to-confirm',
        message:
          '{actor} changed the usual pay of {name} from {day}. It waits for a second administrator.',
      },
    },
    /** Makes a change that one administrator may make alone. */
    set: {
      by: 'admin',
      from: [],
      to: 'confirmed',
      past: 'set',
      words: 'Usual pay changed',
    },
    confirm: {
      by: 'admin',
      from: ['waiting'],
      to: 'confirmed',
      past: 'confirmed',
      words: 'Change of usual pay confirmed',
      route: {
        confirms: 'recent',
        summary: 'Confirm a change of usual pay that another admin proposed',
        errors: ['usual_pay_late', 'usual_pay_not_paid'],
      },
      secondPerson: [
        // The setting says which changes wait, and nobody confirms their own.
        { rule: 'usualPay', after: ['usual_pay_change.propose'], did: 'you made this change' },
        { rule: 'always', after: ['usual_pay_change.propose'], did: 'you made this change' },
      ],
      offer: {
        label: 'Confirm',
        kind: 'solid',
        title: 'Confirm this change?',
        consequence: 'Payroll uses the new amounts from the day on which they are valid.',
        pending: 'Confirming',
        done: 'Change Confirmed',
      },
    },
    decline: {
      by: 'admin',
      from: ['waiting'],
      to: 'declined',
      past: 'declined',
      words: 'Change of usual pay declined',
      route: { summary: 'Decline a change of usual pay: the former amounts stay' },
      toAdmins: {
        kind: 'usual-pay-declined',
        message: '{actor} declined the change of the usual pay of {name}. Reason: {reason}',
      },
      offer: {
        label: 'Decline',
        kind: 'outline',
        title: 'Decline change',
        consequence: 'The amounts stay as they are.',
        reason: {
          emptyHint: 'Enter a reason to decline.',
          keep: 'Keep Change',
          placeholder: FOR_ADMINS,
        },
        pending: 'Declining',
        done: 'Change Declined',
      },
    },
    /** Takes a change back, by the administrator who made it. */
    withdraw: {
      by: 'admin',
      from: ['waiting'],
      to: 'withdrawn',
      past: 'withdrawn',
      did: 'took back',
      words: 'Change of usual pay taken back',
      route: {
        summary: 'Take back a change of usual pay that one made and nobody has confirmed',
        errors: ['usual_pay_of_another'],
      },
      offer: {
        label: 'Take Back',
        kind: 'outline',
        title: 'Take this change back?',
        consequence: 'The amounts stay as they are.',
        pending: 'Taking back',
        done: 'Change Taken Back',
      },
    },
  },
});
