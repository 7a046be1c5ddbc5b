/**
 * What takes two people, as data: for each duty the step that one person does and the step that the
 * same person then may not do. The company sets from which amount a duty holds; all are off at first.
 */
export const DUTIES = {
  payroll: {
    first: 'adminSendPayroll',
    second: 'adminApprovePayroll',
    did: 'you sent this payroll',
  },
  bankAccount: {
    first: 'adminVerifyBankAccount',
    second: 'adminApproveWithdrawal',
    did: 'you verified the bank account that it goes to',
  },
  payout: {
    first: 'adminApproveWithdrawal',
    second: 'adminCompleteWithdrawal',
    did: 'you approved this payout',
  },
  return: {
    first: 'adminCompleteWithdrawal',
    second: 'adminReturnWithdrawal',
    did: 'you paid this out',
  },
  /** A return that never happened would pay the same money twice. Set together with `return`. */
  payoutAgain: {
    first: 'adminReturnWithdrawal',
    second: 'adminApproveWithdrawal',
    did: 'you booked the return of the last payout from this account',
  },
} as const;
export type Duty = keyof typeof DUTIES;

/** The duties that a company sets. */
export const DUTY_SETTINGS = ['payroll', 'bankAccount', 'payout', 'return'] as const;
export type DutySetting = (typeof DUTY_SETTINGS)[number];

/** By which setting a duty holds. */
export function settingOf(duty: Duty): DutySetting {
  return duty === 'payoutAgain' ? 'return' : duty;
}

/**
 * So long after becoming an admin by somebody's invite one is no second person to whoever made it: the
 * other admins are notified of both, and have the time to look.
 */
export const NEW_ADMIN_HOURS = 72;

/** This many active admins make it possible to separate duties. */
export const ADMINS_TO_SEPARATE = 2;

/** Longest time, in hours, that money may wait before it goes to a new bank account: two weeks. */
export const PAYOUT_COOLING_HOURS = {
  least: 0,
  most: 336,
  problem: 'Enter a number of hours from 0 to 336',
};
