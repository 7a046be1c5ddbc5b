/** The company's own accounts at banks, lines of their statements, and what a line is matched with. */
import { accountNumberRule, eitherNumberRule } from './account-formats.ts';
import { NAME_MAX_LENGTH } from './limits.ts';
import { line } from './rules.ts';

/** Largest file, in bytes. */
export const STATEMENT_MAX_BYTES = 10_000_000;

export const STATEMENT_FORMATS = ['camt053', 'ofx', 'csv'] as const;

/** The company's own money, which no item of Purser stands for. Rules propose these alone. */
export const OWN_KINDS = ['own', 'fee', 'interest'] as const;
export type OwnKind = (typeof OWN_KINDS)[number];

/** Kinds of items that a line can be matched with. `return` is a payout that came back; `payroll` a batch or a funding. */
export const BANK_ITEM_KINDS = [
  ...(['deposit', 'withdrawal', 'bill', 'return', 'payroll', 'payout_file'] as const),
  ...OWN_KINDS,
] as const;
export type BankItemKind = (typeof BANK_ITEM_KINDS)[number];

export const OWN_KIND_LABELS: Readonly<Record<OwnKind, string>> = {
  own: 'Company’s own money',
  fee: 'Bank fees',
  interest: 'Bank interest',
};

/** Causes of a match: agreement of reference and amount, a rule or a suggestion that somebody took, or somebody's choice. */
export const MATCH_REASONS = ['reference', 'rule', 'suggestion', 'hand'] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** A line is suggested for an item by what it is now; nobody keeps this status. */
export const BANK_LINE_STATUSES = ['unmatched', 'suggested', 'matched'] as const;

/** Direction of money on the company's account. */
export const BANK_DIRECTIONS = ['in', 'out'] as const;

/** Groups of what is booked in Purser and on no statement yet, or the reverse, in the order of the screen. */
export const ON_ITS_WAY_GROUPS = [
  ...(['payroll', 'deposits', 'files', 'payouts', 'bills'] as const),
  ...(['depositsWaiting', 'payoutsWaiting', 'own'] as const),
] as const;
export type OnItsWayGroup = (typeof ON_ITS_WAY_GROUPS)[number];

export const ON_ITS_WAY_LABELS: Readonly<Record<OnItsWayGroup, string>> = {
  payroll: 'Company transfers ordered',
  deposits: 'Deposits credited, not on a statement yet',
  files: 'Payout files sent, not on a statement yet',
  payouts: 'Withdrawals paid, not on a statement yet',
  bills: 'Bills paid, not on a statement yet',
  depositsWaiting: 'Deposits at the bank, waiting for approval',
  payoutsWaiting: 'Payments on a statement, not completed yet',
  own: 'Company settles with its own account',
};

/** Most items of a line. */
export const MOST_LINE_ITEMS = 200;
/** Lines that a page of a statement has. */
export const BANK_LINES_SHOWN = 200;

export const companyBankRules = {
  bankName: line(NAME_MAX_LENGTH, 'Enter the name of the bank'),
  /** The company's own name of the account. */
  label: line(60, 'Enter what the company calls this account'),
  /** An account number, or an IBAN. */
  number: {
    ...eitherNumberRule,
    problem: (text: string) =>
      /^[A-Z]/.test(text) || accountNumberRule.problem(text) === undefined
        ? eitherNumberRule.problem(text)
        : 'Enter an account number of 4 to 17 digits, or an IBAN',
  },
  ruleText: line(60, 'Enter a text that the lines have'),
};
