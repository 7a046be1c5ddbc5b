import type { EventSpec } from './event.ts';

const COMPANY_BANK = { live: { admins: ['company-bank'] } } as const;
const RETURNS = { live: { admins: ['payouts'] } } as const;
const WALLET = { about: 'wallet', live: { owner: ['wallets'], admins: ['wallets'] } } as const;
const PAYEE = { about: 'payee', live: { owner: ['payments'] } } as const;
const STANDING_BILL = {
  about: 'standing_bill',
  isTimed: true,
  live: { owner: ['payments'] },
} as const;
const ADDED_PAYEE = {
  ...PAYEE,
  isTimed: true,
} as const;
const TRANSFER_PLAN = {
  about: 'transfer_plan',
  isTimed: true,
  live: { owner: ['payments'] },
} as const;
const RUN = {
  ...TRANSFER_PLAN,
  event: 'transfer_plan.run',
  words: 'Automatic transfers made',
  live: { owner: ['payments', 'wallets'], admins: ['wallets'] },
} as const;
const PERSON_PAYMENT = {
  about: 'person_payment',
  isTimed: true,
  live: { owner: ['payments', 'wallets'], admins: ['wallets'] },
} as const;
const PAID = '{amount} went to {recipient}. Reference {reference}.';
const CAN_BE_PAID =
  '{payee} can be paid from your accounts. If this was not you, freeze your payouts and change your password.';

/** Events of wallets, payments and those who are paid. */
export const MONEY_EVENTS = {
  // Wallets
  'wallet.opened': { about: 'wallet', words: 'Account opened' },
  'wallet.reopened': { ...WALLET, words: 'Account opened again' },
  'wallet.closed': {
    ...WALLET,
    words: 'Account closed',
    toOwner: { kind: 'account-closed', message: 'Your {wallet} was closed. Its history stays.' },
  },
  'wallet.revealed': { about: 'wallet', words: 'Account number opened' },
  'wallet_move.made': {
    about: 'wallet_move',
    isTimed: true,
    live: WALLET.live,
    toOwner: {
      kind: 'money-moved',
      message: '{amount} moved from your {from} to your {to}. Reference {reference}.',
    },
  },

  // The company's own accounts at banks
  'company_bank_account.added': {
    ...COMPANY_BANK,
    about: 'company_bank_account',
    words: 'Bank account of the company added',
  },
  'bank_statement.imported': {
    ...COMPANY_BANK,
    about: 'bank_statement',
    words: 'Statement imported',
  },
  'bank_line.matched': {
    ...COMPANY_BANK,
    about: 'bank_line',
    isTimed: true,
    words: 'Statement line matched',
  },
  'bank_line.unmatched': {
    ...COMPANY_BANK,
    about: 'bank_line',
    isTimed: true,
    words: 'Match of a statement line taken back',
  },
  'bank_rule.added': {
    ...COMPANY_BANK,
    about: 'bank_rule',
    words: 'Rule for statement lines added',
  },
  'bank_rule.removed': {
    ...COMPANY_BANK,
    about: 'bank_rule',
    words: 'Rule for statement lines removed',
  },

  /** One that a rule made. Its owner is notified of the whole run. */
  'wallet_move.automatic': {
    about: 'wallet_move',
    event: 'wallet_move.made',
    isTimed: true,
    live: WALLET.live,
  },
  'wallet_move.taken_back': {
    about: 'wallet_move',
    event: 'wallet_move.made',
    isTimed: true,
    live: { owner: ['wallets', 'payments'], admins: ['wallets', 'payroll'] },
    toOwner: {
      kind: 'automatic-transfer-taken-back',
      message:
        '{actor} moved {amount} from your {from} back to your {to}, because the payroll that it came from is being taken back. Reference {reference}.',
    },
  },

  // Automatic transfers
  'transfer_plan.changed': {
    ...TRANSFER_PLAN,
    words: 'Automatic transfers changed',
    toOwner: {
      kind: 'automatic-transfers-changed',
      message:
        'After each payroll into your {wallet}: {rules}. If this was not you, freeze your payouts and change your password.',
    },
  },
  'transfer_plan.paused': { ...TRANSFER_PLAN, words: 'Automatic transfers paused' },
  'transfer_plan.resumed': {
    ...TRANSFER_PLAN,
    words: 'Automatic transfers started again',
    toOwner: {
      kind: 'automatic-transfers-resumed',
      message:
        'After each payroll into your {wallet}: {rules}. If this was not you, freeze your payouts and change your password.',
    },
  },
  'transfer_plan.skip_next': { ...TRANSFER_PLAN, words: 'Next automatic transfers left out' },
  'transfer_plan.skip_undone': { ...TRANSFER_PLAN, words: 'Next automatic transfers run again' },
  'transfer_plan.run': {
    ...RUN,
    toOwner: { kind: 'automatic-transfers-made', message: 'From your {wallet}: {made}.' },
  },
  /** A run of which a transfer was left out, or made in part. */
  'transfer_plan.run_in_part': {
    ...RUN,
    toOwner: {
      kind: 'automatic-transfers-left-out',
      message: ['From your {wallet}: {made}. {leftOut}', 'From your {wallet}: {leftOut}'],
    },
  },
  'transfer_plan.failing': {
    about: 'transfer_plan',
    isTimed: true,
    words: 'Automatic transfers failed',
    toAdmins: {
      kind: 'automatic-transfers-failing',
      message:
        'The automatic transfers of {employee} failed three times after a payroll. Purser goes on trying, and System Health on the dashboard counts all that fail. The server’s log has the cause.',
    },
  },
  'transfer_plan.skipped': { ...TRANSFER_PLAN, words: 'Automatic transfers skipped' },
  /** A run without a transfer, because they were paused or taken away, or the line was taken back. */
  'transfer_plan.left_out': { ...TRANSFER_PLAN, words: 'Automatic transfers left out' },

  // Payments
  'person_payment.made': { ...PERSON_PAYMENT, toOwner: { kind: 'payment-sent', message: PAID } },
  /** One above the amount from which the payer is mailed whatever they chose. */
  'person_payment.large': {
    ...PERSON_PAYMENT,
    event: 'person_payment.made',
    toOwner: {
      kind: 'large-payment-sent',
      message: `${PAID} If this was not you, {advice}.`,
    },
  },
  'payee.added': { ...ADDED_PAYEE, toOwner: { kind: 'payee-added', message: CAN_BE_PAID } },
  /** Takes the place of another, whose details were changed. */
  'payee.replaced': {
    ...ADDED_PAYEE,
    event: 'payee.added',
    toOwner: { kind: 'payee-changed', message: CAN_BE_PAID },
  },
  'payee.removed': PAYEE,
  'payee.returned': {
    about: 'payee',
    words: 'Payee marked: the bank sent a bill back',
    isTimed: true,
  },
  'payee.change_reported': {
    about: 'payee',
    words: 'Payee’s bank asked for other details',
    isTimed: true,
    toOwner: {
      kind: 'payee-change-reported',
      message:
        'The bank of {payee} asked for other details: {what}. Ask {payee} by a way that you know, and edit the payee before its next bill.',
    },
  },
  'payee.confirmed': {
    about: 'payee',
    isTimed: true,
    live: { owner: ['payments', 'wallets'], admins: ['payments'] },
  },
  /** The receiver is notified before the debit settles (NACHA Operating Rules, 2.10.3). */
  'payout_reversal.announced': {
    about: 'payout_reversal',
    isTimed: true,
    words: 'Employee notified of a reversal',
    live: { admins: ['payouts'] },
    toOwner: {
      kind: 'payout-reversal',
      title: 'Payment taken back by the bank',
      message:
        'The company asked its bank to take back {amount}, {reference}: {why}. It is in your wallet again once the bank has sent it back.',
    },
  },
  // Returns files
  'return_file.booked': {
    ...RETURNS,
    about: 'return_file',
    words: 'Returns booked',
  },
  'return_entry.found': {
    ...RETURNS,
    about: 'return_entry',
    isTimed: true,
    words: 'Payout of a return found',
  },
  'return_entry.not_ours': {
    ...RETURNS,
    about: 'return_entry',
    isTimed: true,
    words: 'Return set aside as not ours',
  },
  'return_entry.accepted': {
    ...RETURNS,
    about: 'return_entry',
    isTimed: true,
    words: 'Change of bank details accepted',
  },
  'return_entry.declined': {
    ...RETURNS,
    about: 'return_entry',
    isTimed: true,
    words: 'Change of bank details declined',
  },
  'payee.revealed': { about: 'payee', words: 'Account number opened' },
  'standing_bill.created': STANDING_BILL,
  'standing_bill.scheduled': { ...STANDING_BILL, words: 'Bill of a standing bill scheduled' },
  'standing_bill.stopped': STANDING_BILL,
  'standing_bill.left_out': {
    ...STANDING_BILL,
    toOwner: {
      kind: 'standing-bill-not-paid',
      message: '{billed} was not paid on {day}.{refusal} {next}',
    },
  },

  // Bank accounts, deposits and payrolls
  'bank_account.revealed': { about: 'bank_account', words: 'Account number opened' },
  'bank_account.revealed_to_admin': {
    event: 'bank_account.revealed',
    about: 'bank_account',
    toOwner: {
      kind: 'account-number-shown',
      message:
        '{actor} revealed the full number of {account}. If you do not know why, ask this administrator.',
    },
  },
  'deposit.image_uploaded': {
    about: 'deposit',
    live: { owner: ['deposits'], admins: ['deposits'] },
  },
  'payroll.lines_refused': { about: 'payroll_batch' },
  'payout_file.payments_refused': {
    about: 'payout_file',
    words: 'Payments could not be posted',
    toAdmins: {
      kind: 'payments-refused',
      message:
        '{payments} of payout file {file} could not be posted. {reason} The others are posted, and Purser tries again each minute.',
    },
  },
  'return_file.returns_refused': {
    about: 'return_file',
    words: 'Returns could not be booked',
    toAdmins: {
      kind: 'returns-refused',
      message:
        '{returns} of {file} could not be booked. {reason} The others are booked, and Purser tries again each minute.',
    },
  },
} as const satisfies Record<string, EventSpec>;
