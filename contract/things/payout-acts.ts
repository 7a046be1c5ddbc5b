import type { Separation } from './thing.ts';

/** Part of an act that gives a file for the bank out, once. It has whole account numbers. */
export const DOWNLOADED = {
  by: 'anyAdmin',
  from: ['prepared'],
  to: 'downloaded',
  past: 'downloaded',
  hasForm: true,
} as const;

/** Part of an act that marks a file as given to the bank. */
export const SENT = {
  by: 'anyAdmin',
  from: ['downloaded'],
  to: 'sent',
  past: 'sent',
} as const;

/** Part of an act that books a return from a file of the bank, before the payout file is settled or after. */
export const RETURNED_BY_FILE = {
  by: 'admin',
  to: 'returned',
  past: 'returned',
  operation: 'adminBookReturns',
  isNotOffered: true,
  hasForm: true,
  isSent: true,
} as const;

/** Whoever can read the mail to an account's address can sign in as its owner. */
export const SET_ADDRESS = {
  rule: 'bankAccount',
  after: ['person.setEmail'],
  did: 'you set the email address of this employee',
} as const satisfies Separation;

/** If that return never happened, the same money would be paid twice. */
export const BOOKED_RETURN = {
  rule: 'return',
  after: ['payout.return'],
  did: 'you booked the return of the last payout of this employee',
} as const satisfies Separation;
