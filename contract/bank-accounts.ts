import { NAME_MAX_LENGTH } from './limits.ts';
import { line, nameLine } from './rules.ts';
import type { BANK_ACCOUNT_STATUSES } from './statuses.ts';
import { bankAccount } from './things/bank-account.ts';
import { legalIn } from './things/thing.ts';

export type BankAccountStatus = (typeof BANK_ACCOUNT_STATUSES)[number];

export const BANK_ACCOUNT_TYPES = ['checking', 'savings'] as const;
export type BankAccountType = (typeof BANK_ACCOUNT_TYPES)[number];

export const ACCOUNT_TYPE_LABELS = {
  checking: 'Checking',
  savings: 'Savings',
} as const satisfies Record<BankAccountType, string>;

/**
 * Proof that an account needs before an administrator verifies it: none, a prenote that did not come back, or the amounts of
 * two micro-deposits, which its owner enters.
 */
export const BANK_ACCOUNT_PROOFS = ['none', 'prenote', 'micro_deposits'] as const;
export type BankAccountProof = (typeof BANK_ACCOUNT_PROOFS)[number];

/**
 * Banking days after the settlement of a prenote, on the last of which money may be sent to the account unless the
 * prenote came back (NACHA Operating Rules, 2.6.2: "as soon as the third Banking Day following the Settlement Date").
 */
export const PRENOTE_BANKING_DAYS = 3;

/** Most of a micro-deposit, in minor units: less than $1.00 (NACHA Operating Rules, 2.7.1, Micro-Entries). */
export const MOST_MICRO_DEPOSIT_MINOR = 99;

/** Times that an owner can enter the amounts of two micro-deposits; after the last the account is rejected. */
export const MICRO_DEPOSIT_TRIES = 3;

/**
 * Banking days after the settlement of micro-deposits, on the last of which their amounts can be entered. NACHA sets no
 * limit; banks and payment services have one of about two weeks.
 */
export const MICRO_DEPOSIT_BANKING_DAYS = 10;

/** Statuses in which each act is legal. Editing returns an account to pending. */
export const bankAccountCan = {
  ...legalIn(bankAccount),
  withdrawTo: ['verified'],
} as const satisfies Record<string, readonly BankAccountStatus[]>;

/** Comparison of the name of an account's holder with its owner's; the admin who verifies decides. */
export const NAME_MATCHES = ['equal', 'similar', 'different'] as const;
export type NameMatch = (typeof NAME_MATCHES)[number];

/** Rules for the names of a bank account; those of its numbers are in account-formats.ts. */
export const bankAccountRules = {
  bankName: line(NAME_MAX_LENGTH, 'Enter the name of the bank'),
  accountHolderName: nameLine(NAME_MAX_LENGTH, 'Enter the name of the account holder'),
};

/** Message if no account type was chosen. */
export const ACCOUNT_TYPE_MISSING = 'Choose an account type';
