import type { EmailSwitch, NotificationType } from './notifications.ts';
import { apiKey } from './things/api-key.ts';
import { application } from './things/application.ts';
import { bankAccount } from './things/bank-account.ts';
import { bill } from './things/bill.ts';
import { deposit } from './things/deposit.ts';
import { payrollBatch } from './things/payroll-batch.ts';
import { payrollLine } from './things/payroll-line.ts';
import { document } from './things/document.ts';
import { invite } from './things/invite.ts';
import { payrollDraft } from './things/payroll-draft.ts';
import { person } from './things/person.ts';
import { recovery } from './things/recovery.ts';
import { noticesOf } from './things/words.ts';
import { usualPayChange } from './things/usual-pay-change.ts';
import { withdrawal } from './things/withdrawal.ts';

/** One kind of notification: all that the inbox, the mail and the live announcement say of it. */
export interface NotificationKindSpec {
  type: NotificationType;
  /** Title of the notification, and the subject of its mail. */
  title: string;
  /**
   * Rule for its mail. A switch: unless the person has switched that off, as often as they chose.
   * `always`: immediately and whatever they chose, because whoever uses another's session must not keep it
   * from them. `never`: the inbox alone, where every admin is notified of what waits. `admins`: every admin,
   * immediately and whatever they chose, because one admin must not change the others' rules unseen.
   */
  mail: EmailSwitch | 'always' | 'never' | 'admins';
  /** True if its mail has a link with which the owner reports, without signing in, that it was not them. */
  isReportable?: boolean;
  /** The screen of what it is about, by who reads it; `{id}` is the id of the thing itself. */
  place: { employee: string } | { admin: string } | { employee: string; admin: string };
}

const WITHDRAWAL = {
  type: 'withdrawal',
  mail: 'withdrawalUpdates',
  place: { employee: '/employee/withdraw?request={id}' },
} as const;

const DEPOSIT = {
  type: 'deposit',
  mail: 'depositAlerts',
  place: { employee: '/employee/dashboard?deposit={id}' },
} as const;

/** Paid by payroll or by individual funding, to the employee. */
const PAYDAY = {
  type: 'payroll',
  mail: 'depositAlerts',
  // The notification has the id of the payroll line.
  place: { employee: '/employee/documents/payslip.{id}' },
} as const;

const PAYMENT = {
  type: 'info',
  mail: 'infoNotifications',
  place: { employee: '/employee/dashboard?tab=payments' },
} as const;

const AUTOMATIC = { ...PAYMENT, place: { employee: '/employee/automatic' } } as const;

const BANK_ACCOUNT = {
  type: 'verification',
  mail: 'verificationAlerts',
  place: { employee: '/employee/bank-details' },
} as const;

const KYC = {
  type: 'verification',
  mail: 'kycUpdates',
  place: { employee: '/employee/kyc-status' },
} as const;

const WALLET_KYC = { ...KYC, place: { employee: '/employee/bank-details' } } as const;

const BATCH = {
  type: 'payroll',
  mail: 'infoNotifications',
  place: { admin: '/admin/payroll?tab=history&batch={id}' },
} as const;

/** About a person's own sign-in: always mailed. */
const OWN_SIGN_IN = {
  type: 'security',
  mail: 'always',
  isReportable: true,
  place: { employee: '/employee/profile?tab=security', admin: '/admin/profile' },
} as const;

/** About where a person's money goes: always mailed. */
const PAYOUT_TARGET = {
  type: 'security',
  mail: 'always',
  isReportable: true,
  place: { employee: '/employee/bank-details' },
} as const;

/** About one person, to every admin. */
const OF_PERSON = {
  type: 'security',
  mail: 'never',
  place: { admin: '/admin/employees/{id}' },
} as const;

/** About admins and the company's rules: mailed to every admin. */
const OF_RULES = {
  type: 'security',
  mail: 'admins',
  place: { admin: '/admin/settings?tab=security' },
} as const;

/** Every kind of notification. A new one is an entry here, and a call of `notify` or `notifyAdmins`. */
export const NOTIFICATION_KINDS = {
  ...noticesOf(deposit, 'toOwner', DEPOSIT),
  'payroll-received': { ...PAYDAY, title: 'Payroll received' },
  'funding-received': { ...PAYDAY, title: 'Payroll received' },
  ...noticesOf(payrollLine, 'toOwner', { ...PAYDAY, mail: 'always' }),
  ...noticesOf(recovery, 'toOwner', {
    ...PAYDAY,
    mail: 'always',
    place: { employee: '/employee/recovery' },
  }),

  ...noticesOf(withdrawal, 'toOwner', WITHDRAWAL),

  'payment-sent': { ...PAYMENT, title: 'Payment Sent' },
  'large-payment-sent': {
    ...PAYMENT,
    type: 'security',
    title: 'Large Payment Sent',
    mail: 'always',
    isReportable: true,
  },
  'payment-received': { ...PAYMENT, title: 'Payment Received' },
  'money-moved': { ...PAYMENT, title: 'Money Moved' },
  'automatic-transfers-made': { ...AUTOMATIC, title: 'Automatic Transfers Made' },
  'automatic-transfers-left-out': { ...AUTOMATIC, title: 'Automatic Transfer Left Out' },
  'automatic-transfer-taken-back': {
    ...AUTOMATIC,
    title: 'Automatic Transfer Taken Back',
    mail: 'always',
  },
  ...noticesOf(bill, 'toOwner', PAYMENT),
  /** Kind of the notifications about stopped bills until an act was called by one word. */
  'bill-rejected': { ...PAYMENT, title: 'Bill Rejected' },
  'standing-bill-set-up': { ...PAYMENT, title: 'Standing Bill Set Up' },
  'standing-bill-waiting': { ...PAYMENT, title: 'Standing Bill Waiting' },
  'standing-bill-not-paid': { ...PAYMENT, title: 'Standing Bill Not Paid' },

  ...noticesOf(bankAccount, 'toOwner', BANK_ACCOUNT),
  'bank-account-added': { ...PAYOUT_TARGET, title: 'Bank account added' },
  'bank-account-changed': { ...PAYOUT_TARGET, title: 'Bank account changed' },
  'bank-account-corrected': { ...PAYOUT_TARGET, title: 'Bank account corrected' },
  'account-number-shown': { ...PAYOUT_TARGET, title: 'Account number shown' },
  'bank-account-removed': { ...PAYOUT_TARGET, title: 'Bank account removed' },
  'payee-added': { ...PAYOUT_TARGET, title: 'Payee added', place: PAYMENT.place },
  'automatic-transfers-changed': {
    ...PAYOUT_TARGET,
    title: 'Automatic transfers changed',
    place: AUTOMATIC.place,
  },
  'automatic-transfers-resumed': {
    ...PAYOUT_TARGET,
    title: 'Automatic transfers started again',
    place: AUTOMATIC.place,
  },
  'payout-reversal': {
    ...WITHDRAWAL,
    title: 'Payment taken back by the bank',
    mail: 'always',
    place: PAYMENT.place,
  },
  'payee-changed': { ...PAYOUT_TARGET, title: 'Payee changed', place: PAYMENT.place },
  'payee-change-reported': { ...PAYMENT, title: 'Payee Details Differ', mail: 'always' },

  ...noticesOf(person, 'toOwner', OWN_SIGN_IN),
  'identity-asked': { ...KYC, title: 'Please verify your identity' },
  ...noticesOf(application, 'toOwner', KYC),
  ...noticesOf(document, 'toOwner', KYC),
  'wallet-document-approved': { ...WALLET_KYC, title: 'Document approved' },
  'wallet-document-rejected': { ...WALLET_KYC, title: 'Document rejected' },
  'verification-complete': { ...WALLET_KYC, title: 'Verification complete' },

  'account-closed': {
    type: 'info',
    title: 'Account Closed',
    mail: 'infoNotifications',
    place: { employee: '/employee/dashboard' },
  },
  welcome: {
    type: 'profile',
    title: 'Welcome',
    mail: 'profileUpdates',
    place: { employee: '/employee/profile' },
  },

  ...noticesOf(person, 'toAdmins', OF_PERSON),
  'mail-address-refused': { ...OF_PERSON, title: 'Email address does not exist' },

  // Not reportable: an administrator did it, and is named in the audit trail.
  'name-corrected': {
    ...OWN_SIGN_IN,
    title: 'Name corrected',
    isReportable: false,
    place: { employee: '/employee/profile', admin: '/admin/profile' },
  },
  'address-corrected': { ...KYC, title: 'Address corrected', mail: 'always' },

  'two-factor-on': { ...OWN_SIGN_IN, title: 'Two-factor turned on' },
  'two-factor-off': { ...OWN_SIGN_IN, title: 'Two-factor turned off' },
  'passkey-added': { ...OWN_SIGN_IN, title: 'Passkey added' },
  'passkey-renamed': { ...OWN_SIGN_IN, title: 'Passkey renamed' },
  'passkey-removed': { ...OWN_SIGN_IN, title: 'Passkey removed' },
  'calendar-address-made': {
    ...OWN_SIGN_IN,
    title: 'Calendar address made',
    place: { employee: '/employee/notifications' },
  },
  'recovery-code-used': { ...OWN_SIGN_IN, title: 'Recovery code used' },
  'new-sign-in': { ...OWN_SIGN_IN, title: 'New sign-in' },
  'wrong-code': { ...OWN_SIGN_IN, title: 'Wrong code after your password' },
  'password-changed': { ...OWN_SIGN_IN, title: 'Your password was changed' },
  'new-recovery-codes': { ...OWN_SIGN_IN, title: 'New recovery codes' },
  // Follows from what the owner reported.
  'recovery-codes-ended': { ...OWN_SIGN_IN, title: 'Recovery codes ended', isReportable: false },
  'new-email-address': { ...OWN_SIGN_IN, title: 'New email address requested' },
  // Goes to the new address; the former one gets a link of its own.
  'email-address-changed': {
    ...OWN_SIGN_IN,
    title: 'Email address changed',
    isReportable: false,
  },
  'email-change-taken-back': {
    ...OWN_SIGN_IN,
    title: 'Change of email address taken back',
    isReportable: false,
  },
  'notice-reported': { ...OWN_SIGN_IN, title: 'Reported as not you', isReportable: false },
  'payouts-released': {
    type: 'security',
    title: 'Payouts released',
    mail: 'securityAlerts',
    place: { employee: '/employee/dashboard', admin: '/admin/dashboard' },
  },

  ...noticesOf(payrollBatch, 'toOwner', BATCH),
  'import-finished': {
    type: 'info',
    title: 'Import finished',
    mail: 'infoNotifications',
    place: { admin: '/admin/employees/import' },
  },
  'books-not-sound': {
    type: 'security',
    title: 'Books Not Sound',
    mail: 'always',
    place: { admin: '/admin/dashboard' },
  },
  'automatic-transfers-failing': {
    type: 'payroll',
    title: 'Automatic Transfers Fail',
    mail: 'never',
    place: { admin: '/admin/dashboard' },
  },
  'payments-refused': {
    type: 'withdrawal',
    title: 'Payments Not Posted',
    mail: 'never',
    place: { admin: '/admin/payouts/{id}' },
  },
  'returns-refused': {
    type: 'withdrawal',
    title: 'Returns Not Booked',
    mail: 'never',
    place: { admin: '/admin/returns?file={id}' },
  },
  'books-sound-again': {
    type: 'security',
    title: 'Books Sound Again',
    mail: 'always',
    place: { admin: '/admin/dashboard' },
  },

  ...noticesOf(payrollDraft, 'toAdmins', {
    type: 'payroll',
    mail: 'never',
    place: { admin: '/admin/payroll?draft={id}' },
  } as const),
  'payroll-due': {
    type: 'payroll',
    title: 'Payroll due',
    mail: 'never',
    place: { admin: '/admin/payroll' },
  },
  ...noticesOf(payrollBatch, 'toAdmins', { ...BATCH, mail: 'never' }),
  'usual-pay-file-to-confirm': {
    type: 'payroll',
    title: 'Usual pay file to confirm',
    mail: 'never',
    place: { admin: '/admin/employees/usual-pay' },
  },
  ...noticesOf(usualPayChange, 'toAdmins', { ...OF_PERSON, type: 'payroll' }),
  ...noticesOf(recovery, 'toAdmins', {
    ...OF_PERSON,
    type: 'payroll',
    mail: 'infoNotifications',
  }),
  ...noticesOf(deposit, 'toAdmins', {
    type: 'deposit',
    mail: 'never',
    place: { admin: '/admin/deposits?deposit={id}' },
  }),
  ...noticesOf(withdrawal, 'toAdmins', {
    type: 'withdrawal',
    mail: 'never',
    place: { admin: '/admin/withdrawals?request={id}' },
  }),
  ...noticesOf(bill, 'toAdmins', {
    type: 'info',
    mail: 'never',
    place: { admin: '/admin/bills?bill={id}' },
  }),
  ...noticesOf(bankAccount, 'toAdmins', {
    type: 'verification',
    mail: 'never',
    place: { admin: '/admin/bank-accounts' },
  }),
  'question-answered': {
    type: 'info',
    title: 'Question answered',
    mail: 'infoNotifications',
    place: { employee: '/employee/history?question={id}' },
  },
  'question-asked': {
    type: 'info',
    title: 'Question to answer',
    mail: 'never',
    place: { admin: '/admin/questions?question={id}' },
  },
  ...noticesOf(application, 'toAdmins', {
    type: 'verification',
    mail: 'never',
    place: { admin: '/admin/kyc-review?application={id}' },
  }),
  'documents-to-review': {
    type: 'verification',
    title: 'Wallet documents to review',
    mail: 'never',
    place: { admin: '/admin/kyc-review' },
  },
  ...noticesOf(apiKey, 'toAdmins', {
    ...OF_RULES,
    place: { admin: '/admin/settings?tab=integrations' },
  }),
  'webhook-created': {
    ...OF_RULES,
    title: 'Webhook made',
    place: { admin: '/admin/settings?tab=integrations' },
  },
  'administrator-deactivated': { ...OF_RULES, title: 'Administrator deactivated' },
  'administrator-reactivated': { ...OF_RULES, title: 'Administrator reactivated' },
  'administrator-removed': { ...OF_RULES, title: 'Administrator removed' },
  ...noticesOf(invite, 'toAdmins', OF_RULES),
  'security-rules-changed': { ...OF_RULES, title: 'Security rules changed' },
  'admin-change-proposed': { ...OF_RULES, title: 'Administrators: a change waits' },
  'month-reopening-proposed': {
    ...OF_RULES,
    place: { admin: '/admin/close' },
    title: 'A closed month: opening it waits',
  },
  'month-reopened': {
    ...OF_RULES,
    place: { admin: '/admin/close' },
    title: 'A closed month was opened again',
  },
  'proposal-discarded': { ...OF_RULES, title: 'A proposed change was discarded' },
  'security-change-waits': { ...OF_RULES, title: 'Security rules: a change waits' },
} as const satisfies Record<string, NotificationKindSpec>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

type KindsWith<Mail> = {
  [Kind in NotificationKind]: (typeof NOTIFICATION_KINDS)[Kind]['mail'] extends Mail ? Kind : never;
}[NotificationKind];

/** Kinds that every admin is notified of. */
export type AdminsKind = KindsWith<'never' | 'admins'>;

/** Kinds that one person is notified of, by mail, too. */
export type PersonalKind = Exclude<NotificationKind, AdminsKind>;

/** Entry of the catalogue for a kind. Undefined for one that this version does not know. */
export function kindSpec(kind: string): NotificationKindSpec | undefined {
  const known: Readonly<Record<string, NotificationKindSpec>> = NOTIFICATION_KINDS;
  return Object.hasOwn(known, kind) ? known[kind] : undefined;
}
