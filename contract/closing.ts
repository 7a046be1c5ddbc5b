/** Closing of a month, and its journal for the company's accounting. */
import { line } from './rules.ts';

/** Accounts of the journal. `companyBank` stands for the ledger's clearing accounts of deposits, withdrawals and bills. */
export const JOURNAL_ACCOUNTS = [
  ...(['companyBank', 'companyTransfers', 'wallets', 'payroll', 'individualFunding'] as const),
  ...(['payoutsInTransit', 'bankFees', 'bankInterest', 'accountVerification'] as const),
] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

export const JOURNAL_ACCOUNT_WORDS: Readonly<
  Record<JournalAccount, { name: string; holds: string }>
> = {
  companyBank: { name: 'Company bank', holds: 'The account that employees’ money is at' },
  companyTransfers: { name: 'Company transfers', holds: 'From the operating account' },
  wallets: { name: 'Wallets', holds: 'Salary, savings, retirement and IRS' },
  payroll: { name: 'Payroll', holds: 'What a batch pays' },
  individualFunding: { name: 'Individual funding', holds: 'Bonuses and corrections' },
  payoutsInTransit: { name: 'Payouts on their way', holds: 'Sent to the bank, not settled' },
  bankFees: { name: 'Bank fees', holds: 'Lines matched as bank fees' },
  bankInterest: { name: 'Bank interest', holds: 'Lines matched as bank interest' },
  accountVerification: { name: 'Account verification', holds: 'Micro-deposits to bank accounts' },
};

/** Words of each kind of entry, in the order of the journal, with those of its transactions: "58 withdrawals". */
const KINDS: readonly (readonly [kind: string, what: string, one: string, many: string])[] = [
  ['payroll', 'Payroll', 'payment', 'payments'],
  ['funding', 'Individual funding', 'payment', 'payments'],
  ['companyTransfers', 'Company transfers', 'line', 'lines'],
  ['deposit', 'Deposits', 'deposit', 'deposits'],
  ['withdrawal', 'Withdrawals', 'paid', 'paid'],
  ['bill', 'Bills', 'paid', 'paid'],
  ['settlement', 'Payouts settled', 'payment', 'payments'],
  ['micro_deposit', 'Micro-deposits', 'deposit', 'deposits'],
  ['recovery', 'Recoveries', 'instalment', 'instalments'],
  ['transfer', 'Payments between employees', 'payment', 'payments'],
  ['move', 'Moves between own wallets', 'move', 'moves'],
  ['payrollBack', 'Payroll taken back', 'reversal', 'reversals'],
  ['fundingBack', 'Individual funding taken back', 'reversal', 'reversals'],
  ['depositBack', 'Deposits taken back', 'reversal', 'reversals'],
  ['withdrawalBack', 'Withdrawals returned', 'return', 'returns'],
  ['billBack', 'Bills returned', 'return', 'returns'],
  ['settlementBack', 'Settlements returned', 'return', 'returns'],
  ['micro_depositBack', 'Micro-deposits returned', 'return', 'returns'],
  ['bankFees', 'Bank fees', 'line', 'lines'],
  ['bankInterest', 'Bank interest', 'line', 'lines'],
];

/** Place of a kind in the journal. One without words stands at the end. */
export function journalKindOrder(kind: string): number {
  const index = KINDS.findIndex(([one]) => one === kind);
  return index === -1 ? KINDS.length : index;
}

/** Words of a kind of entry: "Withdrawals", "58 paid". A kind without words is called by its name. */
export function journalKindWords(kind: string, count: bigint): { what: string; detail: string } {
  const [, what = kind, one = 'posting', many = 'postings'] =
    KINDS.find(([known]) => known === kind) ?? [];
  return { what, detail: `${count.toLocaleString('en-US')} ${count === 1n ? one : many}` };
}

/** Programs that the journal is written for. */
export const JOURNAL_FORMATS = ['quickbooks', 'xero', 'csv'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];
export const JOURNAL_FORMAT_LABELS: Readonly<Record<JournalFormat, string>> = {
  quickbooks: 'QuickBooks',
  xero: 'Xero',
  csv: 'Plain CSV',
};

/**
 * Statuses of a month: `open` is not over; `waits` is over, and an earlier one is not closed; `blocked` has things to do.
 */
export const MONTH_STATUSES = ['open', 'waits', 'blocked', 'ready', 'closed'] as const;

/** Conditions for closing a month, in their order. */
export const MONTH_CHECKS = [
  ...(['statements', 'clearing', 'payroll', 'verified', 'owed', 'order'] as const),
] as const;

/** Places where a task of a month is done. */
export const MONTH_TASK_PLACES = [
  ...(['companyBank', 'payoutFile', 'payroll', 'verify', 'health', 'month'] as const),
] as const;

/** A text that accounting programs read as it is: a spreadsheet must not take it for a formula. */
function ofChart(maxLength: number, missing: string) {
  const rule = line(maxLength, missing);
  return {
    ...rule,
    problem: (text: string) =>
      rule.problem(text) ?? (/^[=+\-@]/.test(text) ? 'Begin with a letter or a digit' : undefined),
  };
}

export const chartRules = {
  code: ofChart(20, 'Enter the account’s code'),
  name: ofChart(100, 'Enter the account’s name, as your accounting program has it'),
};

/** `2026-11` as "November 2026". */
export function monthName(month: string): string {
  const first = new Date(`${month.slice(0, 7)}-01T00:00:00Z`);
  const form = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', form).format(first);
}
