import { PAYOUT_COOLING_HOURS, SECOND_PERSON_HOURS } from '../duties.ts';
import { IDLE_MINUTES } from '../identity.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from '../kyc.ts';
import type { Setting } from '../setting-kinds.ts';

/** Settings of the tab Security: sign-in, money that leaves, approvals by two people, identity material. */
export const SECURITY_SETTINGS = {
  requireAdminTwoFactor: {
    ...{ section: 'signIn', kind: 'flag', says: 'Required', loosens: 'off' },
    isAlwaysByTwo: true,
    label: 'Two-factor for administrators',
    hint: 'Administrators without two-factor set it up when they next sign in.',
  },
  adminIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration',
    hint: 'An inactive administrator is signed out after this time.',
  },
  employeeIdleMinutes: {
    ...{ section: 'signIn', kind: 'number', rule: IDLE_MINUTES, unit: 'minutes', loosens: 'more' },
    label: 'Session duration of employees',
    hint: 'An inactive employee is signed out after this time.',
  },
  requireApprovedIdentity: {
    ...{ section: 'money', kind: 'flag', says: 'Required', loosens: 'off' },
    label: 'Require approved identity for outgoing money',
    hint: 'Employees cannot send money out before their identity is approved.',
  },
  payoutCoolingHours: {
    ...{ section: 'money', kind: 'number', rule: PAYOUT_COOLING_HOURS, unit: 'hours' },
    loosens: 'less',
    label: 'Cooling-off after a bank change',
    hint: 'How long payouts wait after a bank account is added or changed.',
  },
  newBrowserLimit: {
    ...{ section: 'money', kind: 'amount', leastMinor: 10_000n, loosens: 'more' },
    label: 'Sent in a day from a new browser',
    hint: 'In the first week of a browser, an employee sends no more than this to colleagues, bills and bank accounts in a day.',
  },
  paymentMailAbove: {
    ...{ section: 'money', kind: 'amount', loosens: 'more' },
    label: 'Mail about payments of more than',
    hint: 'An employee who pays a colleague more than this is mailed immediately, whatever mail they chose.',
  },
  automaticPayoutBelow: {
    ...{ section: 'money', kind: 'amount', isOptional: true, loosens: 'any' },
    isAlwaysByTwo: true,
    label: 'Approve automatic transfers below',
    hint: 'A withdrawal that an employee’s own rule makes after a payroll is approved by itself below this, once its bank account has cooled off. Leave empty to approve each one.',
  },
  stopPayoutsWhenUnsound: {
    ...{ section: 'money', kind: 'flag', says: 'Stop payouts', loosens: 'off' },
    label: 'When the books are not sound',
    hint: 'Payouts resume when a full verification finds no problem.',
    live: ['books'],
  },
  separatePayroll: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payroll of at least',
    hint: 'The administrator who sent it cannot approve it. Leave empty if one administrator may do it alone.',
  },
  separateDeposit: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Deposit of at least',
    hint: 'One administrator confirms that the money arrived, and another one approves the deposit.',
  },
  separateBankAccount: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Payout to a verified account of at least',
    hint: 'The administrator who verified the bank account, or set the email address of its owner, cannot approve the payout. Amounts add up for each person paid.',
  },
  separatePayout: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Completing a payout of at least',
    hint: 'The administrator who approved it cannot complete it.',
  },
  separateReturn: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Returned payout of at least',
    hint: 'The administrator who completed a payout cannot book its return. The one who booked the return cannot approve the next payout.',
  },
  separateUsualPay: {
    ...{ section: 'duties', kind: 'amount', isOptional: true, loosens: 'more' },
    label: 'Change of usual pay of at least',
    hint: 'The administrator who made it cannot confirm it. What one administrator changed alone for a person in 30 days counts together.',
    live: ['payroll'],
  },
  secondPersonHours: {
    ...{ section: 'duties', kind: 'number', rule: SECOND_PERSON_HOURS, unit: 'hours' },
    loosens: 'less',
    isAlwaysByTwo: true,
    label: 'Wait after an invite or a reset',
    hint: 'An administrator who was invited, reactivated or had their sign-in reset approves nothing for others and invites nobody for this time.',
  },
  kycMinAgeYears: {
    ...{ section: 'identity', kind: 'number', rule: MIN_AGE_YEARS, unit: 'years' },
    label: 'Legal age',
    hint: 'The minimum age on the day an application is submitted.',
    live: ['kyc'],
  },
  kycRetentionDays: {
    ...{ section: 'identity', kind: 'number', rule: RETENTION_DAYS, unit: 'days' },
    label: 'Retention',
    hint: 'Rejected, replaced and closed applications and images are destroyed after this time.',
  },
} as const satisfies Record<string, Setting>;
